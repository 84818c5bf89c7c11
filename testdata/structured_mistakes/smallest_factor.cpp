// The smallest prime factor. Wrong: the square of a prime above 100 is taken for a prime.
#include <cstdio>
int main() {
    long long n, factor = 0;
    scanf("%lld", &n);
    for (long long d = 2; d * d <= n && !factor; d++)
        if (n % d == 0) factor = d;
    if (!factor) factor = n;
#ifdef WRONG
    if (factor > 100 && factor * factor == n) factor = n;
#endif
    printf("%lld\n", factor);
}
