// attack: includes a file beside it that is no code
// expect: the sandbox refused `1.ans`
#include "1.ans"
int main(void) { return 0; }
