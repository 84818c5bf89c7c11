// attack: includes a device without an end
// expect: the sandbox refused `/dev/zero`
#include "/dev/zero"
int main(void) { return 0; }
