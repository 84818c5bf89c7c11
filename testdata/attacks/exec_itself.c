// attack: executes itself again and again, to escape supervision
// expect: TLE
#include "attack.h"
int main(int argc, char **argv) { (void)argc; execv("/proc/self/exe", argv); escaped("it could not"); }
