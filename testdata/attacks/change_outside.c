// attack: changes the attributes of files, and watches a folder
// expect: ok
// needs: system calls
#include "attack.h"
#include <linux/fs.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
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
    // Newer calls, which C libraries do not name.
    struct { unsigned long long value; unsigned size, flags; } value = {(unsigned long)"x", 1, 0};
    struct { unsigned long long flags; unsigned extent_size, extents, project, cow_extent_size; } attributes = {0};
    if (syscall(463, AT_FDCWD, answer, 0, "user.rebut", &value, sizeof value) == 0) escaped("setxattrat");
    if (syscall(466, AT_FDCWD, answer, 0, "user.rebut") == 0 || errno != ENOSYS) escaped("removexattrat");
    if (syscall(467, AT_FDCWD, answer, 0, 0, 0) >= 0 || errno != ENOSYS) escaped("open_tree_attr");
    if (syscall(469, AT_FDCWD, answer, &attributes, sizeof attributes, 0) == 0) escaped("file_setattr");
    // Its own executable is open for reading only.
    int own = open("/proc/self/exe", O_RDONLY), flags = FS_NODUMP_FL;
    struct fsxattr own_attributes = {0};
    if (ioctl(own, FS_IOC_SETFLAGS, &flags) == 0 || errno != ENOSYS) escaped("FS_IOC_SETFLAGS");
    if (ioctl(own, FS_IOC_FSSETXATTR, &own_attributes) == 0 || errno != ENOSYS) escaped("FS_IOC_FSSETXATTR");
    if (fcntl(own, F_SETLEASE, F_RDLCK) == 0) escaped("F_SETLEASE");
    if (inotify_add_watch(inotify_init(), argv[1], IN_ALL_EVENTS) >= 0) escaped("inotify");
}
