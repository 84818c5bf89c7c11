// The tester's published code: positions are made to count from 0, the number on her first cell is taken off at the end. It
// asserts the published claim that no game goes on after move N - 1.
#include <bits/stdc++.h>
using namespace std;

typedef long long ll;

void solve() {
    int N, ax, ay, bx, by;
    cin >> N >> ax >> ay >> bx >> by;
    --ax, --ay, --bx, --by;
    vector<int> dx = {-1, -1, -1, 0, 0, 1, 1, 1}, dy = {-1, 0, 1, -1, 1, -1, 0, 1};
    vector<vector<int>> a(N, vector<int>(N, 0));
    for (auto& row : a)
        for (int& x : row) cin >> x;
    vector<vector<vector<ll>>> dp(N, vector<vector<ll>>(N, vector<ll>(N, -1)));
    function<ll(int, int, int)> dfs = [&](int x, int y, int moves) -> ll {
        if (x < 0 || x >= N || y < 0 || y >= N) return 0ll;
        if (max(abs(bx - x), abs(by - y)) <= moves) return a[x][y] + 0ll;
        assert(moves < N);
        if (dp[x][y][moves] != -1) return dp[x][y][moves];
        ll& ans = dp[x][y][moves];
        ans = 0;
        for (int i = 0; i < 8; ++i) ans = max(ans, dfs(x + dx[i], y + dy[i], moves + 1));
        ans += a[x][y];
        return ans;
    };
    cout << dfs(ax, ay, 0) - a[ax][ay] << "\n";
}

int main() {
    int TESTS = 1;
    cin >> TESTS;
    while (TESTS--) solve();
}
