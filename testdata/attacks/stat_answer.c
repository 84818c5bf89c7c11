// attack: decides by what it finds out about an answer without reading it
// expect: ok
// needs: other files
#include "attack.h"
#include <sys/statvfs.h>
static void try(const char *path) {
    struct stat about;
    if (stat(path, &about) == 0 || access(path, F_OK) == 0 || open(path, O_PATH) >= 0) escaped(path);
}
int main() {
    char **argv = given(), path[4096];
    try(argv[1]);
    try(in(argv[1], "answer.txt"));
    if (chdir(argv[1]) == 0) escaped("chdir");
    snprintf(path, sizeof path, "/proc/self/root%s/answer.txt", argv[1]);
    try(path);
    snprintf(path, sizeof path, "/proc/self/cwd/../../../../../../../../../..%s/answer.txt", argv[1]);
    try(path);
    snprintf(path, sizeof path, "/old%s/answer.txt", argv[1]);
    try(path);
    if (mkdir("/rebut-attack", 0777) == 0 || creat("/rebut-attack", 0666) >= 0) escaped("a file in the root folder");
}
