// attack: attaches to its parent and to the harness as a debugger
// expect: ok
// needs: system calls
#include "attack.h"
int main() {
    char **argv = given();
    int others[2] = {getppid(), atoi(argv[2])};
    for (int i = 0; i < 2; i++)
        if (ptrace(0x4206 /* seize */, others[i], 0, 0) == 0) { escaped("ptrace"); ptrace(PTRACE_DETACH, others[i], 0, 0); }
}
