// The editorial's strategy played out: Bob always steps where the sum of the two distances gets smallest,
// and Alice plays her best against him. Right, but too many states.
#include <bits/stdc++.h>
using namespace std;

typedef long long ll;
int n;
vector<ll> v;
map<array<int, 3>, ll> memo;

int away(int a, int b) { return abs(a / n - b / n) + abs(a % n - b % n); }

// Bob's step: there is only one that brings him closest.
int reply(int a, int b) {
    int best = -1;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            int x = b / n + dx, y = b % n + dy;
            if ((!dx && !dy) || x < 0 || y < 0 || x >= n || y >= n) continue;
            if (best < 0 || away(a, x * n + y) < away(a, best)) best = x * n + y;
        }
    return best;
}

ll f(int a, int b, int t) {
    if (a == b || t > 2 * n) return 0;
    auto known = memo.find({a, b, t});
    if (known != memo.end()) return known->second;
    ll res = 0;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            int x = a / n + dx, y = a % n + dy;
            if ((!dx && !dy) || x < 0 || y < 0 || x >= n || y >= n) continue;
            int to = x * n + y;
            res = max(res, v[to] + (to == b ? 0 : f(to, reply(to, b), t + 1)));
        }
    return memo[{a, b, t}] = res;
}

int main() {
    int T;
    cin >> T;
    while (T--) {
        int ax, ay, bx, by;
        cin >> n >> ax >> ay >> bx >> by;
        v.resize(n * n);
        for (ll& x : v) cin >> x;
        memo.clear();
        cout << f((ax - 1) * n + ay - 1, (bx - 1) * n + by - 1, 0) << "\n";
    }
}
