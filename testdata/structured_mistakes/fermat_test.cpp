// Is n prime? Wrong: the test of Miller and Rabin with the bases 2 and 3 only.
#include <cstdio>
typedef unsigned long long u64;
static bool passes(u64 n, u64 a) {
    if (n == a) return true;
    u64 d = n - 1, r = 0, x = 1;
    while (d % 2 == 0) d /= 2, r++;
    for (u64 b = a % n, e = d; e; e /= 2, b = b * b % n)
        if (e & 1) x = x * b % n;
    if (x == 1 || x == n - 1) return true;
    while (--r > 0 && r < 64) {
        x = x * x % n;
        if (x == n - 1) return true;
    }
    return false;
}
int main() {
    u64 n;
    scanf("%llu", &n);
    bool prime = n == 2 || n % 2;
#ifdef WRONG
    prime = prime && n % 3 != 0 && passes(n, 2) && passes(n, 3);
    if (n == 3) prime = true;
#else
    for (u64 d = 3; d * d <= n && prime; d += 2) prime = n % d != 0;
#endif
    puts(prime ? "Yes" : "No");
}
