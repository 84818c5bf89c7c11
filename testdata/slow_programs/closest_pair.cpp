// The smallest distance of two points: sorted by x, and compared until the difference of x is too large.
#include <bits/stdc++.h>
using namespace std;

typedef long long ll;

int main() {
    int n;
    scanf("%d", &n);
    vector<pair<ll, ll>> p(n);
    for (auto &[x, y] : p) scanf("%lld %lld", &x, &y);
    sort(p.begin(), p.end());
    ll best = LLONG_MAX;
#ifdef SLOW
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            ll dx = p[j].first - p[i].first, dy = p[j].second - p[i].second;
            if (dx * dx >= best) break;
            best = min(best, dx * dx + dy * dy);
        }
#else
    set<pair<ll, ll>> near;
    for (int i = 0, first = 0; i < n; i++) {
        auto [x, y] = p[i];
        ll reach = best == LLONG_MAX ? 400000000 : (ll)sqrtl(best) + 1;
        while (x - p[first].first > reach) near.erase({p[first].second, p[first].first}), first++;
        for (auto it = near.lower_bound({y - reach, LLONG_MIN}); it != near.end() && it->first <= y + reach; ++it) {
            ll dx = x - it->second, dy = y - it->first;
            best = min(best, dx * dx + dy * dy);
        }
        near.insert({y, x});
    }
#endif
    printf("%lld\n", best);
}
