// attack: writes, removes and renames files of others
// expect: ok
// needs: files
#include "attack.h"
static void try(const char *path) { if (open(path, O_CREAT | O_WRONLY, 0600) >= 0) { escaped(path); unlink(path); } }
int main() {
    char **argv = given();
    try(in(argv[1], "new"));
    try("/tmp/rebut-attack");
    try("/var/tmp/rebut-attack");
    try("/etc/rebut-attack");
    try("/usr/rebut-attack");
    char answer[4096];
    strcpy(answer, in(argv[1], "answer.txt"));
    if (open(answer, O_WRONLY) >= 0) escaped("writes");
    if (truncate(answer, 0) == 0) escaped("truncates");
    if (unlink(answer) == 0) escaped("removes");
    if (rename(answer, "answer") == 0) escaped("renames");
    if (link(answer, "answer") == 0) escaped("links");
    if (mkdir(in(argv[1], "folder"), 0700) == 0) escaped("makes a folder");
    if (symlink("/", in(argv[1], "link")) == 0) escaped("makes a link");
    if (mkfifo(in(argv[1], "pipe"), 0600) == 0) escaped("makes a pipe");
}
