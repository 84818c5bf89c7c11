// attack: changes the limits, priority and processors of its spawner
// expect: ok
#include "server.h"
static int count;
static void try(void) {
    pid_t pid = getppid();
    struct rlimit limit;
    struct sched_param rank = {0};
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(0, &processors);
    count += sched_setaffinity(pid, sizeof processors, &processors) == 0 || sched_setparam(pid, &rank) == 0;
    count += syscall(SYS_prlimit64, pid, RLIMIT_CPU, 0, &limit) == 0 || setpriority(PRIO_PROCESS, pid, 19) == 0;
}
BEFORE_MAIN start(void) { if (serves()) try(); }
int main() {
    try();
    if (count > 0) escaped("something of the spawner");
}
