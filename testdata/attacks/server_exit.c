// attack: a constructor exits its server
// expect: ok
// note: it exits before it can be forked
#include "server.h"
BEFORE_MAIN start(void) { if (serves()) _exit(0); }
int main() {}
