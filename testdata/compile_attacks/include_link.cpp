// attack: includes a link in its folder that points to an answer
// expect: the sandbox refused `link.h`
#include "link.h"
int main() {}
