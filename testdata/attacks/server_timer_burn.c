// attack: a timer of the server computes while other programs run
// expect: any
// note: any
#include "server.h"
static void act(int signal) { (void)signal; burn(0.2); }
BEFORE_MAIN start(void) { if (serves()) every(20, act); }
int main() {}
