// attack: a constructor ends its server
// expect: ok
// note: it ends where it is to be copied
#include "server.h"
BEFORE_MAIN start(void) { if (serves()) _exit(0); }
int main() {}
