// attack: a thread of the server fills the working folder for ever
// expect: ok
// note: it starts threads before `main` or it ends where it is to be copied
#include "server.h"
BEFORE_MAIN start(void) { if (serves()) thread_of(litter); }
int main() {}
