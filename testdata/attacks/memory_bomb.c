// attack: a memory bomb, of at most 2 GiB
// expect: MLE
// alone
#include "attack.h"
int main() {
    for (int i = 0; i < 2048; i++) {
        char *volatile block = malloc(1 << 20);
        if (!block) abort();
        for (int at = 0; at < 1 << 20; at += 512) block[at] = 1;
    }
    escaped("2 GiB");
}
