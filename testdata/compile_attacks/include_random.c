// attack: includes a device without an end, of random bytes
// expect: the sandbox refused `/dev/urandom`
#include "/dev/urandom"
int main(void) { return 0; }
