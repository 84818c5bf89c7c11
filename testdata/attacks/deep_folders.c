// attack: leaves nested folders deeper than the longest path
// expect: ok
// needs: files
#include "attack.h"
int main() {
    char name[241];
    memset(name, 'x', 240);
    name[240] = 0;
    for (int i = 0; i < 60; i++) if (mkdir(name, 0700) || chdir(name)) { escaped("it could not"); return 0; }
}
