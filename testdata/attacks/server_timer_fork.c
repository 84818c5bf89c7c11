// attack: a timer of the server starts processes while other programs run
// expect: ok
#include "server.h"
static volatile int *got;
static void act(int signal) {
    (void)signal;
    long pid = clone_raw(SIGCHLD);
    if (pid == 0) { burn(1); _exit(0); }
    if (pid > 0) *got = 1;
}
BEFORE_MAIN start(void) {
    static int none;
    got = &none;
    if (serves()) every(3, act);
}
int main() { if (*got) escaped("a process of the server"); }
