// attack: a hundred processes in sessions of their own
// expect: ok
// needs: system calls
#include "attack.h"
int main() {
    for (int i = 0; i < 100; i++) {
        pid_t pid = fork();
        if (pid == 0) { setsid(); sleep(5); _exit(0); }
        if (pid > 0) { escaped("a session"); break; }
    }
}
