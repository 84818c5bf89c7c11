// attack: has the assembler print a file of the host as lines that it does not understand
// expect: the sandbox refused `/etc/passwd`
__asm__(".include \"/etc/passwd\"\n");
int main(void) { return 0; }
