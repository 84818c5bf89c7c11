// attack: creates namespaces of its own
// expect: ok
// needs: system calls
#include "attack.h"
#include <sys/mount.h>
int main() {
    if (unshare(CLONE_NEWUSER) == 0) escaped("unshare");
    if (unshare(CLONE_NEWNS) == 0) escaped("unshare");
    if (mount("none", ".", "tmpfs", 0, "size=4k") == 0) { escaped("mount"); umount("."); }
    if (chroot(".") == 0) escaped("chroot");
    if (syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0) > 0) escaped("clone");
}
