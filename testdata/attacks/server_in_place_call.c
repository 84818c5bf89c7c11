// attack: a run in place makes forbidden system calls by the instruction that its filter lets pass
// expect: ok
#include "in_place.h"
extern char rebut_own_call[] __attribute__((weak));
static long call(long number, long a, long b, long c) {
    long result = -1;
    register long r10 __asm__("r10") = 0;
    if (!rebut_own_call) return -1;
    // The instruction is in a function, which returns to here.
    __asm__ volatile("call *%5" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(rebut_own_call - 2), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
}
int main() {
    char **words = given();
    if (call(SYS_kill, atoi(words[2]), 0, 0) == 0) escaped("it signals the harness");
    if (call(SYS_socket, 2, 1, 0) >= 0) escaped("it has a socket");
    if (call(SYS_open, (long)in(words[1], "answer.txt"), O_RDONLY, 0) >= 0) escaped("it opens the answer");
    if (call(SYS_clone, COPY, 0, 0) > 0) escaped("it forks");
    if (call(SYS_fork, 0, 0, 0) > 0) escaped("it forks");
    puts("done");
}
