// attack: endless recursion
// expect: MLE
#include "attack.h"
static int deeper(volatile int n) { volatile char room[1000]; room[n % 1000] = 1; return deeper(n + 1) + room[0]; }
int main() { return deeper(0); }
