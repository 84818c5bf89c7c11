// attack: the server keeps the streams of all runs, and writes to them when they are over
// expect: any
// note: any
#include "server.h"
static void act(int signal) {
    (void)signal;
    for (int i = 4; i < 250; i++)
        if (write(i, "late\n", 5) > 0) {}
    dup(1);
    dup(2);
}
BEFORE_MAIN start(void) { if (serves()) every(3, act); }
int main() { burn(0.01); }
