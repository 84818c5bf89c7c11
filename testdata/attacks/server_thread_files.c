// attack: a thread of the server fills the working folder forever
// expect: ok
// note: it starts threads before `main` or it exits before it can be forked
#include "server.h"
BEFORE_MAIN start(void) { if (serves()) thread_of(litter); }
int main() {}
