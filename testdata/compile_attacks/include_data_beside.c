// attack: includes a file in its folder that is not source code
// expect: the sandbox refused `1.ans`
#include "1.ans"
int main(void) { return 0; }
