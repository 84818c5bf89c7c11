// attack: leaves folders without permissions, and files with odd names
// expect: ok
// needs: files
#include "attack.h"
int main() {
    mkdir("a", 0700);
    mkdir("a/b", 0700);
    close(open("a/b/\xff\n", O_CREAT | O_WRONLY, 0));
    mkdir("a/b/c", 0);
    mkdir("closed", 0);
    close(open("-rf *", O_CREAT | O_WRONLY, 0));
}
