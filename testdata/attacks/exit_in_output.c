// attack: exits in the middle of its output
// expect: RTE
#include "attack.h"
int main() { puts("half of"); fflush(stdout); printf("the other"); _exit(3); }
