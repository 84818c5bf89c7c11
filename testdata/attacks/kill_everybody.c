// attack: kills every process
// expect: ok
// needs: signals
// alone
#include "attack.h"
int main() { if (kill(-1, SIGKILL) == 0) escaped("kill(-1)"); }
