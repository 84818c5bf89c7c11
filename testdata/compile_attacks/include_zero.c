// attack: includes an endless device
// expect: the sandbox refused `/dev/zero`
#include "/dev/zero"
int main(void) { return 0; }
