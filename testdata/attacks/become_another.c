// attack: becomes another user
// expect: ok
// needs: system calls
#include "attack.h"
int main() {
    if (setuid(12345) == 0) escaped("setuid");
    if (setgid(12345) == 0) escaped("setgid");
    if (setresuid(12345, 12345, 12345) == 0) escaped("setresuid");
    if (geteuid() != 0 && seteuid(0) == 0) escaped("seteuid");
    if (prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0) escaped("new privileges");
}
