// attack: a run in place fills the results of all runs with numbers that lead outside of them
// expect: ok
// note: any
#include "in_place.h"
int main() {
    size_t length = 0;
    char *results = shared_memory("memfd:", &length);
    given();
    if (results) memset(results + 32, 0x7f, 4000);
    if (results) memset(results, 0x7f, 8);
    puts("done");
}
