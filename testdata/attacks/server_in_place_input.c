// attack: before its first run in place, a program tries to get hold of the inputs of the next ones
// expect: ok
#include "in_place.h"
#include <sys/mman.h>
int main() {
    if (mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 0) != MAP_FAILED) escaped("it maps its inputs writable");
    if (syscall(SYS_pwrite64, 0, "9", 1, 0) == 1) escaped("it writes to its inputs");
    if (syscall(SYS_ftruncate, 0, 0) == 0) escaped("it truncates its inputs");
    int again = open("/proc/self/fd/0", O_RDWR);
    if (again >= 0 && syscall(SYS_pwrite64, again, "9", 1, 0) == 1) escaped("it opens its inputs again");
    given();
    puts("done");
}
