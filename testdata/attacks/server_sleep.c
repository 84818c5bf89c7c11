// attack: a constructor sleeps, so that the spawner waits for the server
// expect: ok
// note: it takes too long to get ready
#include "server.h"
BEFORE_MAIN start(void) { if (serves()) sleep(1000); }
int main() {}
