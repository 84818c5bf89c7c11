// attack: includes a pipe in the folder of headers
// expect: compiling was stopped: it does not end within
#include <waiting.h>
int main(void) { return 0; }
