// attack: sleeps forever
// expect: idle
#include "attack.h"
int main() { for (;;) pause(); }
