// attack: a thread from before the first run in place outlives it, and writes where the next ones read
// expect: ok
#include "in_place.h"
static int value;
static void change(void) { value++; }
int main() {
    thread_of(change);
    given();
    puts("done");
}
