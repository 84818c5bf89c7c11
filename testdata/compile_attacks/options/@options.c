// attack: is named like a file with options for the compiler
// expect: `@options.c` begins with `@`
int main(void) { return 0; }
