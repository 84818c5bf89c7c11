// Counts triangles of positive area. Wrong: three points on a line that is neither horizontal nor vertical count, too.
#include <cstdio>
long long x[300], y[300];
int main() {
    int n, count = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%lld %lld", x + i, y + i);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++) {
                __int128 a = (__int128)(x[j] - x[i]) * (y[k] - y[i]) - (__int128)(x[k] - x[i]) * (y[j] - y[i]);
                bool flat = a == 0;
#ifdef WRONG
                bool same = (x[i] == x[j] && y[i] == y[j]) || (x[i] == x[k] && y[i] == y[k]) || (x[j] == x[k] && y[j] == y[k]);
                flat = same || (x[i] == x[j] && x[j] == x[k]) || (y[i] == y[j] && y[j] == y[k]);
#endif
                count += !flat;
            }
    printf("%d\n", count);
}
