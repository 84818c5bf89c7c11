// attack: a constructor starts a process that computes for two seconds, in a session of its own
// expect: ok
#include "server.h"
static long pid;
BEFORE_MAIN start(void) {
    if (!serves()) return;
    pid = clone_raw(SIGCHLD);
    if (pid == 0) { setsid(); burn(2); _exit(0); }
}
int main() { if (pid > 0) escaped("a process of the server"); }
