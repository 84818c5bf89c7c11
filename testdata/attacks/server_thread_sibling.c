// attack: a thread of the server creates children of the spawner forever
// expect: ok
// note: it starts threads before `main`
#include "server.h"
static void act(void) { if (clone_raw(COPY) == 0) { burn(1); _exit(3); } }
BEFORE_MAIN start(void) { if (serves()) thread_of(act); }
int main() {}
