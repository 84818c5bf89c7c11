// attack: a constructor computes for ever
// expect: ok
// note: it is not ready to be copied in time
#include "server.h"
BEFORE_MAIN start(void) { while (serves()) burn(1); }
int main() {}
