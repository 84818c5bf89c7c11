// attack: floods its error stream, ignoring errors
// expect: OLE
#include "attack.h"
static char block[1 << 16];
int main() { signal(SIGXFSZ, SIG_IGN); for (int i = 0; i < 8000; i++) if (write(2, block, sizeof block) < 0) return 0; }
