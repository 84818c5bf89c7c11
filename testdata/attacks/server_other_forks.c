// attack: a constructor starts processes in all other ways
// expect: ok
#include "server.h"
static long pids[5];
BEFORE_MAIN start(void) {
    if (!serves()) return;
    struct { unsigned long long flags, a[10]; } args = {0};
    args.a[3] = SIGCHLD;
#ifdef SYS_fork
    pids[0] = syscall(SYS_fork);
    if (pids[0] == 0) _exit(0);
#endif
    pids[1] = syscall(435, &args, sizeof args); // clone3
    if (pids[1] == 0) _exit(0);
    pids[2] = clone_raw(CLONE_PARENT | SIGUSR1);
    if (pids[2] == 0) _exit(0);
    pids[3] = clone_raw(CLONE_PARENT | CLONE_VFORK | SIGCHLD);
    if (pids[3] == 0) _exit(0);
    pids[4] = fork();
    if (pids[4] == 0) _exit(0);
}
int main() {
    for (int i = 0; i < 5; i++)
        if (pids[i] > 0) escaped("a process of the server");
}
