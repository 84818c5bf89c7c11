// attack: begins again and again, to be forgotten
// expect: TLE
#include "attack.h"
int main(int argc, char **argv) { (void)argc; execv("/proc/self/exe", argv); escaped("it could not"); }
