// attack: a constructor loops forever
// expect: ok
// note: it takes too long to get ready
#include "server.h"
BEFORE_MAIN start(void) { while (serves()) burn(1); }
int main() {}
