// attack: includes a pipe in the folder of headers
// expect: compiling was stopped: it does not finish within
#include <waiting.h>
int main(void) { return 0; }
