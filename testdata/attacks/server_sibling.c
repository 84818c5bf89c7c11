// attack: a constructor creates a child of the spawner that poses as the run of another program
// expect: any
#include "server.h"
BEFORE_MAIN start(void) {
    if (serves() && clone_raw(COPY) == 0) { burn(0.05); printf("sibling\n"); fflush(stdout); _exit(3); }
}
int main() {}
