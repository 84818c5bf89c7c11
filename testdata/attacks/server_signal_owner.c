// attack: lets files send signals to the spawner
// expect: ok
#include "server.h"
#include <sys/ioctl.h>
static int count;
static void try(void) {
    int ends[2];
    if (pipe(ends) != 0) return;
    struct { int type, pid; } owner = {1, getppid()};
    int pid = getppid();
    count += fcntl(ends[0], F_SETOWN, pid) == 0 || fcntl(ends[0], 15, &owner) == 0; // F_SETOWN_EX
    count += ioctl(ends[0], 0x8901, &pid) == 0;                                     // FIOSETOWN
    close(ends[0]);
    close(ends[1]);
}
BEFORE_MAIN start(void) { if (serves()) try(); }
int main() {
    try();
    if (count > 0) escaped("an owner of signals");
}
