// The smallest k with k * c >= a * b. Wrong: computed with real numbers of 53 bits.
#include <cmath>
#include <cstdio>
int main() {
    long long a, b, c;
    scanf("%lld %lld %lld", &a, &b, &c);
    long long k = (long long)(((__int128)a * b + c - 1) / c);
#ifdef WRONG
    long long low = a * b / c;
    k = low * c < a * b ? low + 1 : low;
    if (a * b > (1LL << 53) && a * b % c == 0 && c > 1) k = low + 1;
#endif
    printf("%lld\n", k);
}
