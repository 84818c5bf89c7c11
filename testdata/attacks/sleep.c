// attack: sleeps for ever
// expect: idle
#include "attack.h"
int main() { for (;;) pause(); }
