// attack: tries to leave a core dump
// expect: RTE
#include "attack.h"
int main() {
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    if (setrlimit(RLIMIT_CORE, &all) == 0) escaped("it may");
    fflush(stdout);
    *(volatile int *)0 = 1;
}
