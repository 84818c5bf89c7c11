// attack: a timer ends the server, so that the spawner takes it for something else, or its number is used again
// expect: any
// note: any
#include "server.h"
static void act(int signal) { (void)signal; _exit(0); }
BEFORE_MAIN start(void) { if (serves()) every(15, act); }
int main() {}
