// attack: includes an endless device of random bytes
// expect: the sandbox refused `/dev/urandom`
#include "/dev/urandom"
int main(void) { return 0; }
