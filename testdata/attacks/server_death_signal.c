// attack: a constructor and a copy try to survive the death of the spawner
// expect: ok
#include "server.h"
static int count;
static void try(void) {
    count += prctl(PR_SET_PDEATHSIG, 0) == 0 || prctl(PR_SET_PDEATHSIG, SIGCHLD) == 0;
    int signal = 0;
    count += prctl(PR_GET_PDEATHSIG, &signal) != 0 || signal != SIGKILL;
}
BEFORE_MAIN start(void) { try(); }
int main() {
    try();
    if (count > 0) escaped("no death signal");
}
