// attack: has the assembler put the passwords of the host into the program
// expect: the sandbox refused `/etc/shadow`
__asm__(".data\nwords: .incbin \"/etc/shadow\"\n");
int main(void) { return 0; }
