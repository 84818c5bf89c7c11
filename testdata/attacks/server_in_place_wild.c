// attack: a run in place overwrites what the loop of its process needs, and ends in many ways
// expect: any
#include "in_place.h"
int main() {
    size_t length = 0;
    char *loop = shared_memory("/dev/zero", &length);
    given();
    if (loop) memset(loop, 0x41, length);
    puts("done");
}
