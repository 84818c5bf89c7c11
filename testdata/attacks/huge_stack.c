// attack: a gigabyte on the stack
// expect: RTE
#include "attack.h"
int main() { volatile char room[1 << 30]; room[0] = 1; return room[0] - 1; }
