// attack: raises its limits, and lowers those of other processes
// expect: ok
// needs: system calls
#include "attack.h"
int main() {
    char **argv = given();
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY}, now;
    if (setrlimit(RLIMIT_FSIZE, &all) == 0) escaped("file size");
    if (setrlimit(RLIMIT_AS, &all) == 0) escaped("memory");
    if (setrlimit(RLIMIT_CPU, &all) == 0) escaped("processor time");
    if (setrlimit(RLIMIT_NOFILE, &all) == 0) escaped("files");
    if (syscall(SYS_prlimit64, atoi(argv[2]), RLIMIT_CORE, 0, &now) == 0) escaped("the harness's");
    if (syscall(SYS_prlimit64, getppid(), RLIMIT_CORE, 0, &now) == 0) escaped("the parent's");
    if (setpriority(PRIO_PROCESS, 0, -5) == 0) escaped("rank");
}
