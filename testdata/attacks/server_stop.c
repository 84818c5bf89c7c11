// attack: a constructor stops its server
// expect: ok
// note: it takes too long to get ready
#include "server.h"
BEFORE_MAIN start(void) { if (serves()) raise(SIGSTOP); }
int main() {}
