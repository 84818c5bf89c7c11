// attack: a timer exits the server, so that the spawner mistakes it for another process, or its PID is reused
// expect: any
// note: any
#include "server.h"
static void act(int signal) { (void)signal; _exit(0); }
BEFORE_MAIN start(void) { if (serves()) every(15, act); }
int main() {}
