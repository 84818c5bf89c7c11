// attack: includes a pipe without a writer
// expect: the sandbox refused `pipe.h`
#include "pipe.h"
int main(void) { return 0; }
