// attack: none: a program is allowed to signal itself, and to abort
// expect: RTE
#include "attack.h"
static volatile int seen;
static void on_signal(int s) { (void)s; seen++; }
int main() {
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    kill(getpid(), SIGUSR1);
    pthread_kill(pthread_self(), SIGUSR1);
    if (seen != 3) escaped("it could not signal itself");
    fflush(stdout);
    abort();
}
