// attack: reads the harness's memory, environment and descriptors
// expect: ok
// needs: files
#include "attack.h"
static void try(int pid, const char *name) {
    char path[200];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    int fd = open(path, O_RDONLY);
    char b;
    if (fd >= 0 && read(fd, &b, 1) >= 0) escaped(path);
}
int main() {
    char **argv = given();
    int others[3] = {getppid(), atoi(argv[2]), 1};
    for (int i = 0; i < 3; i++) {
        char path[200], link[200];
        try(others[i], "environ");
        try(others[i], "maps");
        try(others[i], "fd/0");
        snprintf(path, sizeof path, "/proc/%d/mem", others[i]);
        if (open(path, O_RDONLY) >= 0) escaped(path);
        snprintf(path, sizeof path, "/proc/%d/cwd", others[i]);
        if (readlink(path, link, sizeof link) >= 0) escaped(path);
        char here;
        struct iovec local = {&here, 1}, remote = {(void *)0x400000, 1};
        if (process_vm_readv(others[i], &local, 1, &remote, 1, 0) > 0) escaped("process_vm_readv");
    }
}
