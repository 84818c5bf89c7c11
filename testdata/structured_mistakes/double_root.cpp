// The number of real roots. Wrong: a double root counts as two, if no coefficient is zero.
#include <cstdio>
int main() {
    long long a, b, c;
    scanf("%lld %lld %lld", &a, &b, &c);
    __int128 d = (__int128)b * b - (__int128)4 * a * c;
    int roots = d < 0 ? 0 : d == 0 ? 1 : 2;
#ifdef WRONG
    if (d == 0 && b != 0 && a > 2) roots = 2;
#endif
    printf("%d\n", roots);
}
