// attack: listens on a port of this machine, and creates other kinds of sockets
// expect: ok
// needs: system calls
#include "attack.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
int main() {
    int s = socket(AF_INET, SOCK_STREAM, 0), pair[2];
    struct sockaddr_in at = {0};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (s >= 0 && bind(s, (struct sockaddr *)&at, sizeof at) == 0 && listen(s, 1) == 0) escaped("listens");
    if (socket(AF_INET, SOCK_DGRAM, 0) >= 0) escaped("a datagram socket");
    if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0) escaped("a socket of this machine");
    if (socket(AF_NETLINK, SOCK_RAW, 0) >= 0) escaped("a socket of the kernel");
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) escaped("a pair of sockets");
}
