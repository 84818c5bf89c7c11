// attack: a sparse output of a terabyte
// expect: RTE
#include "attack.h"
int main() { if (ftruncate(1, 1L << 40) == 0) escaped("a terabyte"); }
