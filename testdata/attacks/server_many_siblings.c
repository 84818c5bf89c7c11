// attack: a constructor creates as many children of the spawner as it can, and they keep running
// expect: any
#include "server.h"
BEFORE_MAIN start(void) {
    for (int i = 0; serves() && i < 50; i++)
        if (clone_raw(COPY) == 0) { for (;;) burn(1); }
}
int main() {}
