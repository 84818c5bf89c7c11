// attack: makes the assembler include an answer in the program
// expect: the sandbox refused `../../data/secret/1.ans`
__asm__(".data\nanswer: .incbin \"../../data/secret/1.ans\"\n");
int main(void) { return 0; }
