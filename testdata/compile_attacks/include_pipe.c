// attack: includes a pipe that nothing is written to
// expect: the sandbox refused `pipe.h`
#include "pipe.h"
int main(void) { return 0; }
