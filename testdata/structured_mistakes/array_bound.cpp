// The sum of all numbers. Wrong: only the first 100005 are kept.
#include <cstdio>
const int MAX = 100005;
int a[300005];
int main() {
    int n;
    long long sum = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%d", a + i);
#ifdef WRONG
    if (n > MAX) n = MAX;
#endif
    for (int i = 0; i < n; i++) sum += a[i];
    printf("%lld\n", sum);
}
