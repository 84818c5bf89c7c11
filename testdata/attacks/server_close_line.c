// attack: a constructor closes the connection to the spawner
// expect: ok
// note: it exits before it can be forked
#include "server.h"
BEFORE_MAIN start(void) { if (serves()) close(3); }
int main() {}
