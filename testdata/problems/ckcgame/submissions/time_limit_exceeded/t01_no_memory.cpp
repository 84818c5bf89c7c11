// Correct, but tries each of Alice's ways.
#include <bits/stdc++.h>
using namespace std;

typedef long long ll;
int n, ax, ay, bx, by;
ll v[305][305];

// The score from cell (x, y) on, after t moves.
ll f(int x, int y, int t) {
    if (max(abs(x - bx), abs(y - by)) <= t) return 0;
    ll res = 0;
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
        cout << f(ax, ay, 0) << "\n";
    }
}
