// attack: a copy sends endless requests to its spawner
// expect: TLE
#include "server.h"
static void *ask(void *none) {
    for (;;) { kill(getpid(), 0); clone_raw(COPY) == 0 ? _exit(3) : (void)0; }
    return none;
}
int main() {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, ask, NULL);
    ask(NULL);
}
