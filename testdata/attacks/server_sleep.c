// attack: a constructor sleeps, so that the server is waited for
// expect: ok
// note: it is not ready to be copied in time
#include "server.h"
BEFORE_MAIN start(void) { if (serves()) sleep(1000); }
int main() {}
