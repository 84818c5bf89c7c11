// Is t a sum of some of the numbers? By trying all, the largest numbers first, until the rest is too small.
#include <bits/stdc++.h>
using namespace std;

int n, t, a[36], rest[37];

bool fits(int i, int t) {
    if (t == 0) return true;
    if (i == n || t < 0 || rest[i] < t) return false;
    return fits(i + 1, t - a[i]) || fits(i + 1, t);
}

int main() {
    scanf("%d %d", &n, &t);
    for (int i = 0; i < n; i++) scanf("%d", &a[i]);
#ifdef SLOW
    sort(a, a + n, greater<int>());
    for (int i = n - 1; i >= 0; i--) rest[i] = rest[i + 1] + a[i];
    puts(fits(0, t) ? "yes" : "no");
#else
    bitset<36001> sums;
    sums[0] = true;
    for (int i = 0; i < n; i++) sums |= sums << a[i];
    puts(sums[t] ? "yes" : "no");
#endif
}
