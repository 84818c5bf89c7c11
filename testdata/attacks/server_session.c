// attack: a constructor creates a session and a process group, changes its directory, and ignores every signal
// expect: ok
#include "server.h"
BEFORE_MAIN start(void) {
    if (!serves()) return;
    for (int i = 1; i < 65; i++) signal(i, SIG_IGN);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    setsid();
    setpgid(0, 0);
    if (chdir("/") != 0) {}
}
int main() {}
