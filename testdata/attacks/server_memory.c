// attack: a constructor fills as much memory as possible, which all copies inherit
// expect: any
// note: any
#include "server.h"
BEFORE_MAIN start(void) {
    for (char *block; serves() && (block = malloc(1 << 20));) memset(block, 1, 1 << 20);
}
int main() {}
