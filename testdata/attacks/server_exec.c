// attack: a constructor executes another program
// expect: ok
// note: it takes too long to get ready
#include "server.h"
BEFORE_MAIN start(void) { if (serves()) execl("/bin/sleep", "sleep", "1000", (char *)NULL); }
int main() {}
