// attack: closes its streams
// expect: ok
#include "attack.h"
int main() { close(0); close(1); close(2); }
