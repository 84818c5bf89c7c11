// attack: starts processes in all other ways
// expect: ok
// needs: system calls
#include "attack.h"
int main() {
    if (syscall(SYS_vfork) == 0) _exit(0); // refused, or else the parent goes on after the child's end
    long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) _exit(0);
    if (pid > 0) escaped("clone");
    struct { unsigned long long flags, a[10]; } args = {0};
    args.a[3] = SIGCHLD;
    pid = syscall(435, &args, sizeof args); // clone3
    if (pid == 0) _exit(0);
    if (pid > 0) escaped("clone3");
}
