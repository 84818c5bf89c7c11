// P paints a range, Q sums one. Ranges of one color are walked one by one.
#include <bits/stdc++.h>
using namespace std;

int n, q;
#ifdef SLOW
map<int, long long> color;
void split(int at) {
    if (at > n) return;
    auto it = prev(color.upper_bound(at));
    color.emplace(at, it->second);
}
#else
long long sum[1 << 18], paint[1 << 18];
vector<int> c;
void build(int v, int a, int b) {
    if (a == b) { sum[v] = c[a]; return; }
    int m = (a + b) / 2;
    build(2 * v, a, m), build(2 * v + 1, m + 1, b);
    sum[v] = sum[2 * v] + sum[2 * v + 1];
}
long long visit(int v, int a, int b, int l, int r, long long x) {
    if (r < a || b < l) return 0;
    if (l <= a && b <= r) {
        if (x) sum[v] = x * (b - a + 1), paint[v] = x;
        return sum[v];
    }
    int m = (a + b) / 2;
    if (paint[v]) {
        for (int w : {2 * v, 2 * v + 1}) sum[w] = paint[v] * (w % 2 ? b - m : m - a + 1), paint[w] = paint[v];
        paint[v] = 0;
    }
    long long both = visit(2 * v, a, m, l, r, x) + visit(2 * v + 1, m + 1, b, l, r, x);
    sum[v] = sum[2 * v] + sum[2 * v + 1];
    return both;
}
#endif

int main() {
    scanf("%d %d", &n, &q);
#ifdef SLOW
    for (int i = 1; i <= n; i++) scanf("%lld", &color[i]);
#else
    c.resize(n + 1);
    for (int i = 1; i <= n; i++) scanf("%d", &c[i]);
    build(1, 1, n);
#endif
    while (q--) {
        char kind;
        int l, r;
        long long x = 0;
        scanf(" %c %d %d", &kind, &l, &r);
        if (kind == 'P') scanf("%lld", &x);
#ifdef SLOW
        split(l), split(r + 1);
        auto from = color.find(l), to = r == n ? color.end() : color.find(r + 1);
        long long total = 0;
        if (kind == 'P') color.erase(from, to), color[l] = x;
        else
            while (from != to) {
                auto next = std::next(from);
                total += from->second * ((next == color.end() ? n + 1 : next->first) - from->first);
                from = next;
            }
#else
        long long total = visit(1, 1, n, l, r, x);
#endif
        if (kind == 'Q') printf("%lld\n", total);
    }
}
