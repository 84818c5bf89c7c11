// attack: a constructor closes the line to the spawner
// expect: ok
// note: it ends where it is to be copied
#include "server.h"
BEFORE_MAIN start(void) { if (serves()) close(3); }
int main() {}
