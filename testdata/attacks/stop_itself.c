// attack: stops itself
// expect: idle
#include "attack.h"
int main() { raise(SIGSTOP); escaped("somebody woke it"); }
