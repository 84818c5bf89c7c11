// attack: imports a file of the host in angle brackets
// expect: the sandbox refused `/etc/group`
#import </etc/group>
int main(void) { return 0; }
