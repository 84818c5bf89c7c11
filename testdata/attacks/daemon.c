// attack: leaves a daemon running
// expect: ok
// needs: system calls
#include "attack.h"
int main() {
    pid_t pid = fork();
    if (pid == 0) { setsid(); if (fork() == 0) { sleep(5); } _exit(0); }
    if (pid > 0) escaped("a daemon");
}
