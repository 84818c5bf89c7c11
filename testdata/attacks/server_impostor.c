// attack: a constructor acts as the server; its copies stay in the server's session, without limits, and loop
// expect: TLE
#include "server.h"
#include <sys/socket.h>
BEFORE_MAIN start(void) {
    if (!serves()) return;
    for (int i = 0; i < 3; i++) close(i);
    char text[64], control[256];
    struct iovec part = {text, sizeof text};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control};
    for (;;) {
        message.msg_controllen = sizeof control;
        if (recvmsg(3, &message, 0) <= 0) _exit(0);
        long pid;
        do pid = clone_raw(COPY);
        while (pid > 0 || (pid < 0 && errno == EINTR));
        if (pid == 0) { unsetenv("REBUT_FORK_SERVER"); return; }
        for (int i = 0; i < 3; i++) close(i);
    }
}
int main() { for (;;) burn(1); }
