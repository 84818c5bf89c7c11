// attack: tries to outlive its parent
// expect: ok
// needs: system calls
#include "attack.h"
int main() { if (prctl(PR_SET_PDEATHSIG, 0) == 0) escaped("PR_SET_PDEATHSIG"); }
