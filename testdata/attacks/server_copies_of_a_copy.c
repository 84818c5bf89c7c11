// attack: a copy creates children of the spawner, as its server is allowed to
// expect: ok
#include "server.h"
int main() {
    for (int i = 0; i < 3; i++) {
        long pid = clone_raw(COPY);
        if (pid == 0) { burn(1); _exit(3); }
        if (pid > 0) escaped("a copy of a copy");
    }
}
