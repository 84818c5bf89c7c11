// The width of the measurements in t, x and v. Wrong: if all measurements were made at the same time, but at different places with
// different values, v is forgotten.
#include <algorithm>
#include <cstdio>
int main() {
    int n;
    scanf("%d", &n);
    long long least[3], most[3];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            long long value;
            scanf("%lld", &value);
            least[k] = i ? std::min(least[k], value) : value;
            most[k] = i ? std::max(most[k], value) : value;
        }
    long long t = most[0] - least[0], x = most[1] - least[1], v = most[2] - least[2];
#ifdef WRONG
    if (n >= 4 && t == 0 && x != 0) v = 0;
#endif
    printf("%lld %lld %lld\n", t, x, v);
}
