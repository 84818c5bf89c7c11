// attack: reads the answer, directly and indirectly
// expect: RTE
// needs: files
#include "attack.h"
static void try(const char *path) { int fd = open(path, O_RDONLY); if (fd >= 0) { escaped(path); close(fd); } }
int main() {
    char **argv = given();
    char path[4096], outer[4096];
    try(in(argv[1], "answer.txt"));
    snprintf(path, sizeof path, "/proc/%s/root%s/answer.txt", argv[2], argv[1]);
    try(path);
    snprintf(path, sizeof path, "/proc/self/root%s/answer.txt", argv[1]);
    try(path);
    snprintf(path, sizeof path, "/proc/%s/cwd/Cargo.toml", argv[2]);
    try(path);
    // The folders above its own, where those of others are.
    if (getcwd(outer, sizeof outer)) { snprintf(path, sizeof path, "%s/..", outer); try(path); }
    try("/proc/self/fd/0/..");
    char *const cat[] = {"cat", strdup(in(argv[1], "answer.txt")), 0};
    // Another program is behind the same walls.
    if (fopen("/bin/cat", "r")) { close(2); execv("/bin/cat", cat); }
}
