// attack: changes the attributes of files
// expect: ok
// needs: system calls
#include "attack.h"
#include <sys/xattr.h>
int main() {
    char **argv = given();
    const char *answer = in(argv[1], "answer.txt");
    struct timespec times[2] = {{1, 0}, {1, 0}};
    if (chmod(answer, 0777) == 0) escaped("chmod");
    if (chown(answer, getuid(), getgid()) == 0) escaped("chown");
    if (utimensat(AT_FDCWD, answer, times, 0) == 0) escaped("utimensat");
    if (setxattr(answer, "user.rebut", "x", 1, 0) == 0) escaped("setxattr");
    if (syscall(452, AT_FDCWD, answer, 0777, 0) == 0) escaped("fchmodat2");
}
