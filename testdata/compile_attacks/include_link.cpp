// attack: includes a link beside it that leads to an answer
// expect: the sandbox refused `link.h`
#include "link.h"
int main() {}
