// attack: a fork bomb, of two hundred processes
// expect: ok
// needs: system calls
// alone
#include "attack.h"
int main() {
    int born = 0;
    for (int i = 0; i < 200; i++) {
        pid_t pid = fork();
        if (pid == 0) { alarm(2); pause(); _exit(0); }
        born += pid > 0;
    }
    if (born) escaped("forked");
}
