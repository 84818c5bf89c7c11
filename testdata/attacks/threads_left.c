// attack: the first thread exits, and others continue
// expect: TLE
#include "attack.h"
static void *run(void *x) { for (volatile long i = 0;; i = i + 1) {} return x; }
int main() { pthread_t t; pthread_create(&t, 0, run, 0); pthread_exit(0); }
