// attack: a constructor becomes another program
// expect: ok
// note: it is not ready to be copied in time
#include "server.h"
BEFORE_MAIN start(void) { if (serves()) execl("/bin/sleep", "sleep", "1000", (char *)NULL); }
int main() {}
