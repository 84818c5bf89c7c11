// attack: makes the assembler write endlessly
// expect: compiling was stopped
__asm__(".data\n.rept 100000000\n.quad 1, 2, 3, 4\n.endr\n");
int main(void) { return 0; }
