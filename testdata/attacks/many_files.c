// attack: fills its folder with empty files
// expect: OLE
// needs: files
// cpu time in ms: 10000
#include "attack.h"
int main() {
    for (int i = 0; i < 1100; i++) { char name[20]; sprintf(name, "%d", i); close(open(name, O_CREAT | O_WRONLY, 0600)); }
    for (;;) pause();
}
