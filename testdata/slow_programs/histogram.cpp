// The largest rectangle in a histogram, by widening each bar.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<long long> h(n);
    for (auto &x : h) scanf("%lld", &x);
    long long best = 0;
#ifdef SLOW
    for (int i = 0; i < n; i++) {
        int from = i, to = i;
        while (from > 0 && h[from - 1] >= h[i]) from--;
        while (to + 1 < n && h[to + 1] >= h[i]) to++;
        best = max(best, h[i] * (to - from + 1));
    }
#else
    vector<int> open;
    for (int i = 0; i <= n; i++) {
        long long height = i < n ? h[i] : -1;
        while (!open.empty() && h[open.back()] > height) {
            long long top = h[open.back()];
            open.pop_back();
            best = max(best, top * (i - (open.empty() ? 0 : open.back() + 1)));
        }
        open.push_back(i);
    }
#endif
    printf("%lld\n", best);
}
