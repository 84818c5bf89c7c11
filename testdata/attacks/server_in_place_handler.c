// attack: a handler that never returns interrupts the loop of runs in place again and again
// expect: any
#include "in_place.h"
static void stay(int signal) {
    (void)signal;
    for (;;) {}
}
int main() {
    every(1, stay);
    given();
    puts("done");
}
