// attack: floods its output
// expect: OLE
#include "attack.h"
static char block[1 << 16];
int main() { for (int i = 0; i < 8000; i++) if (write(1, block, sizeof block) < 0) break; pause(); }
