// attack: computes in an orphan, at most two seconds
// expect: ok
// needs: system calls
#include "attack.h"
#include <time.h>
int main() {
    pid_t pid = fork();
    if (pid == 0) { setsid(); if (fork() == 0) while (clock() < 2 * CLOCKS_PER_SEC) {} _exit(0); }
    if (pid > 0) { escaped("an orphan"); sleep(3); }
}
