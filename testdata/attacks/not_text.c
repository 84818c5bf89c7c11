// attack: writes bytes that are not text
// expect: ok
#include "attack.h"
int main() { for (int i = 0; i < 256; i++) putchar(i); puts("\xff\xfe\xed\xa0\x80\033]0;x\007"); }
