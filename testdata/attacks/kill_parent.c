// attack: signals its parent and the harness; with a signal that does nothing
// expect: ok
// needs: signals
#include "attack.h"
int main(int argc, char **argv) {
    (void)argc;
    if (kill(getppid(), SIGCONT) == 0) escaped("the parent");
    if (kill(atoi(argv[2]), SIGCONT) == 0) escaped("the harness");
    if (kill(-getpgid(getppid()), SIGCONT) == 0) escaped("the parent's group");
}
