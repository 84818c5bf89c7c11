// attack: as many sleeping threads as possible, at most two thousand
// expect: idle
#include "attack.h"
static void *run(void *x) { for (;;) pause(); return x; }
int main() { for (int i = 0; i < 2000; i++) { pthread_t t; if (pthread_create(&t, 0, run, 0)) break; } for (;;) pause(); }
