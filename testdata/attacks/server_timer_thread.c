// attack: a timer of the server starts threads, which compute and write while other programs run
// expect: any
// note: any
#include "server.h"
static void act(int signal) {
    static int is_there;
    (void)signal;
    if (!is_there++) thread_of(litter);
}
BEFORE_MAIN start(void) { if (serves()) every(10, act); }
int main() {}
