// The square that Bob covers is cut off at the wrong wall: the first row and column are never in it.
#include <bits/stdc++.h>
using namespace std;

typedef long long ll;
int n, ax, ay, bx, by;
ll v[305][305];
vector<vector<vector<ll>>> dp;

// The score from cell (x, y) on, after t moves.
ll f(int x, int y, int t) {
    int top = max(2, bx - t), bottom = min(n, bx + t), left = max(2, by - t), right = min(n, by + t);
    if (t >= n || (t > 0 && top <= x && x <= bottom && left <= y && y <= right)) return 0;
    ll& res = dp[t][x][y];
    if (res != -1) return res;
    res = 0;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            int nx = x + dx, ny = y + dy;
            if ((!dx && !dy) || nx < 1 || ny < 1 || nx > n || ny > n) continue;
            res = max(res, v[nx][ny] + f(nx, ny, t + 1));
        }
    return res;
}

int main() {
    int T;
    cin >> T;
    while (T--) {
        cin >> n >> ax >> ay >> bx >> by;
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++) cin >> v[i][j];
        dp.assign(n + 1, vector<vector<ll>>(n + 1, vector<ll>(n + 1, -1)));
        cout << f(ax, ay, 0) << "\n";
    }
}
