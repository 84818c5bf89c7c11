// attack: a timer of the server fills the working folder while other programs run in it
// expect: any
// note: any
#include "server.h"
static void act(int signal) { (void)signal; for (int i = 0; i < 40; i++) litter(); }
BEFORE_MAIN start(void) { if (serves()) every(3, act); }
int main() {}
