// attack: makes the assembler print a file of the host in error messages
// expect: the sandbox refused `/etc/passwd`
__asm__(".include \"/etc/passwd\"\n");
int main(void) { return 0; }
