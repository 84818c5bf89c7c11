// attack: makes the assembler include the passwords of the host in the program
// expect: the sandbox refused `/etc/shadow`
__asm__(".data\nwords: .incbin \"/etc/shadow\"\n");
int main(void) { return 0; }
