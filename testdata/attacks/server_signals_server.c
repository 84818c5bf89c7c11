// attack: a copy kills, stops or continues its server
// expect: ok
#include "server.h"
static pid_t server;
BEFORE_MAIN start(void) { server = getpid(); }
int main() {
    if (server == getpid()) return 0;
    if (kill(server, SIGCONT) == 0 || kill(server, SIGSTOP) == 0 || syscall(SYS_tgkill, server, server, SIGKILL) == 0)
        escaped("a signal to the server");
}
