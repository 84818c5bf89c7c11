// attack: includes the environment of its compiler
// expect: the sandbox refused `/proc/self/environ`
#include </proc/self/environ>
int main(void) { return 0; }
