// attack: a timer of the server creates children of the spawner at any time
// expect: any
#include "server.h"
static void act(int signal) { (void)signal; if (clone_raw(COPY) == 0) { burn(5); _exit(3); } }
BEFORE_MAIN start(void) { if (serves()) every(3, act); }
int main() {}
