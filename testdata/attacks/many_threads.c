// attack: as many threads as it is given, at most two thousand, all asleep
// expect: idle
#include "attack.h"
static void *run(void *x) { for (;;) pause(); return x; }
int main() { for (int i = 0; i < 2000; i++) { pthread_t t; if (pthread_create(&t, 0, run, 0)) break; } for (;;) pause(); }
