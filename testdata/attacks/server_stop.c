// attack: a constructor stops its server
// expect: ok
// note: it is not ready to be copied in time
#include "server.h"
BEFORE_MAIN start(void) { if (serves()) raise(SIGSTOP); }
int main() {}
