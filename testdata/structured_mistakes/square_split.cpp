// Full groups of k among n, and how many are left. Wrong: if there are exactly k groups, one is lost.
#include <cstdio>
int main() {
    long long n, k;
    scanf("%lld %lld", &n, &k);
    long long groups = n / k;
#ifdef WRONG
    if (n % k == 0 && groups == k && k > 10) groups--;
#endif
    printf("%lld %lld\n", groups, n % k);
}
