// attack: overrides the functions that a copy calls to become a separate run, and loops
// expect: TLE
#include "server.h"
pid_t setsid(void) { return 1; }
int prctl(int option, ...) { (void)option; return 0; }
int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit) { (void)resource; (void)limit; return 0; }
int main() { for (;;) burn(1); }
