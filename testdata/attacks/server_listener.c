// attack: looks for the listener of its system call filter, and installs a filter of its own
// expect: ok
#include "server.h"
#include <linux/filter.h>
static int count;
static void try(void) {
    for (int i = 4; i < 256; i++) count += fcntl(i, F_GETFD) >= 0;
    struct sock_filter notify = {6, 0, 0, 0x7fc00000};
    struct sock_fprog program = {1, &notify};
    count += syscall(SYS_seccomp, 1, 8, &program) >= 0; // SECCOMP_FILTER_FLAG_NEW_LISTENER
}
BEFORE_MAIN start(void) { if (serves()) try(); }
int main() { if (count > 0) escaped("a listener"); }
