// attack: runs in place keep what they have seen in memory that is not put back, and print it
// expect: ok
// note: any
#include "in_place.h"
int main() {
    size_t length = 0;
    char *results = shared_memory("memfd:", &length);
    char **words = given();
    if (results && results[length - 1] == 'x') puts(results + length - 4000);
    if (results) strcpy(results + length - 4000, words[1]);
    if (results) results[length - 1] = 'x';
    puts("done");
}
