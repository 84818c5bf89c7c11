// attack: includes a pipe in the folder of headers
// expect: compiling was stopped: it does not finish within 2 s
#include <waiting.h>
int main(void) { return 0; }
