// attack: escapes through links in its own folder
// expect: ok
// needs: files
#include "attack.h"
int main() {
    char **argv = given();
    if (symlink(in(argv[1], "answer.txt"), "answer") == 0) {
        if (open("answer", O_RDONLY) >= 0) escaped("reads");
        if (open("answer", O_WRONLY | O_TRUNC) >= 0) escaped("writes");
    }
    if (symlink(argv[1], "folder") == 0 && open("folder/new", O_CREAT | O_WRONLY, 0600) >= 0) escaped("creates");
    // What is emptied afterwards must not be what these lead to.
    symlink("/", "root");
    symlink("..", "up");
}
