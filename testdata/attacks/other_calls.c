// attack: uses the system calls of other ABIs
// expect: RTE
// needs: system calls
#include "attack.h"
int main() {
#ifdef __x86_64__
    long pid = syscall(0x40000000 | 39); // getpid, by the numbers of another set
    if (pid > 0) escaped("another set");
    fflush(stdout);
    __asm__ volatile("int $0x80" : "=a"(pid) : "a"(20) : "memory"); // getpid, in the old way
    if (pid > 0) escaped("the old way");
    fflush(stdout);
#endif
    return 1;
}
