// attack: reopens its input for writing
// expect: ok
#include "attack.h"
#include <sys/mman.h>
int main() {
    int fd = open("/proc/self/fd/0", O_RDWR);
    if (fd >= 0 && write(fd, "9", 1) > 0) escaped("wrote");
    if (fd >= 0 && ftruncate(fd, 0) == 0) escaped("truncated");
    if (fd >= 0 && mmap(0, 4096, PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED) escaped("mapped");
}
