// attack: signals other processes by thread, by queue and by descriptor
// expect: ok
// needs: signals
#include "attack.h"
int main() {
    char **argv = given();
    int others[2] = {getppid(), atoi(argv[2])};
    for (int i = 0; i < 2; i++) {
        int pid = others[i];
        siginfo_t info = {0};
        info.si_code = SI_QUEUE;
        if (syscall(SYS_tkill, pid, SIGCONT) == 0) escaped("tkill");
        if (syscall(SYS_tgkill, pid, pid, SIGCONT) == 0) escaped("tgkill");
        if (syscall(SYS_rt_sigqueueinfo, pid, SIGCONT, &info) == 0) escaped("rt_sigqueueinfo");
        if (syscall(SYS_rt_tgsigqueueinfo, pid, pid, SIGCONT, &info) == 0) escaped("rt_tgsigqueueinfo");
        int fd = syscall(434, pid, 0); // pidfd_open
        if (fd >= 0 && syscall(424, fd, SIGCONT, 0, 0) == 0) escaped("pidfd_send_signal");
    }
    // Owners of a descriptor are signalled by the kernel.
    int p[2];
    if (pipe(p) == 0 && fcntl(p[0], F_SETOWN, others[1]) == 0 && fcntl(p[0], F_SETSIG, SIGCONT) == 0)
        fcntl(p[0], F_SETFL, O_ASYNC);
}
