// attack: fills its folder with 8 MB, at first
// expect: OLE
// needs: files
#include "attack.h"
static char block[900000];
int main() {
    for (int i = 0; i < 9; i++) {
        char name[20];
        sprintf(name, "%d", i);
        int fd = open(name, O_CREAT | O_WRONLY, 0600);
        if (fd >= 0) { write(fd, block, sizeof block); close(fd); }
    }
    for (;;) pause();
}
