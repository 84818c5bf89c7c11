// attack: ignores every signal, and computes
// expect: TLE
#include "attack.h"
int main() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, 0);
    for (int s = 1; s < 65; s++) signal(s, SIG_IGN);
    for (volatile long i = 0;; i = i + 1) {}
}
