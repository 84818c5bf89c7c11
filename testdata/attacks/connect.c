// attack: connects to a port of this machine
// expect: ok
// needs: network
#include "attack.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
int main() {
    char **argv = given();
    int s = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {0};
    at.sin_family = AF_INET;
    at.sin_port = htons(atoi(argv[3]));
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (s >= 0 && connect(s, (struct sockaddr *)&at, sizeof at) == 0) escaped("connected");
}
