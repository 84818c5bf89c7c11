// attack: signals its parent and the harness; with a signal that does nothing
// expect: ok
// needs: signals
#include "attack.h"
int main() {
    char **argv = given();
    if (kill(getppid(), SIGCONT) == 0) escaped("the parent");
    if (kill(atoi(argv[2]), SIGCONT) == 0) escaped("the harness");
    if (kill(-getpgid(getppid()), SIGCONT) == 0) escaped("the parent's group");
}
