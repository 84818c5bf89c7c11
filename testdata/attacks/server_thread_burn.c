// attack: a thread of the server loops forever
// expect: ok
// note: it starts threads before `main`
#include "server.h"
static void act(void) { burn(1); }
BEFORE_MAIN start(void) { if (serves()) thread_of(act); }
int main() {}
