// attack: includes a file of the host
// expect: the sandbox refused `/etc/passwd`
#include "/etc/passwd"
int main(void) { return 0; }
