// Marks the cells around the board by the largest number that a cell can hold, and takes such a cell for a wall.
#include <bits/stdc++.h>
using namespace std;

typedef long long ll;
int n, ax, ay, bx, by;
ll v[305][305];
const ll WALL = 1000000000;
vector<vector<vector<ll>>> dp;

// The score from cell (x, y) on, after t moves.
ll f(int x, int y, int t) {
    if (max(abs(x - bx), abs(y - by)) <= t) return 0;
    ll& res = dp[t][x][y];
    if (res != -1) return res;
    res = 0;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            int nx = x + dx, ny = y + dy;
            if ((!dx && !dy) || v[nx][ny] == WALL) continue;
            res = max(res, v[nx][ny] + f(nx, ny, t + 1));
        }
    return res;
}

int main() {
    int T;
    cin >> T;
    while (T--) {
        cin >> n >> ax >> ay >> bx >> by;
        for (int i = 0; i <= n + 1; i++)
            for (int j = 0; j <= n + 1; j++) v[i][j] = WALL;
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++) cin >> v[i][j];
        dp.assign(n + 1, vector<vector<ll>>(n + 1, vector<ll>(n + 1, -1)));
        cout << f(ax, ay, 0) << "\n";
    }
}
