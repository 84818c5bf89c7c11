// The setter's code as published: positions are read from 1 on, and never made to count from 0 as the board does.
#include <bits/stdc++.h>
using namespace std;
#define int long long

int ax, ay, bx, by;
int N;
vector<vector<int>> vec;
vector<vector<vector<int>>> dp;

int f(int i, int j, int t) {
    if (i < 0 || i >= N || j < 0 || j >= N) return 0;  // where the original reads past its tables
    if (dp[i][j][t] != -1) return dp[i][j][t];
    if (max(abs(i - bx), abs(j - by)) <= t) return 0;
    int ans = 0;
    for (int dx = -1; dx <= 1; dx++) {
        for (int dy = -1; dy <= 1; dy++) {
            if (dx == 0 && dy == 0) continue;
            int nx = i + dx, ny = j + dy;
            if (nx < 0 || nx >= N || ny < 0 || ny >= N) continue;
            ans = max(ans, vec[nx][ny] + f(nx, ny, t + 1));
        }
    }
    return dp[i][j][t] = ans;
}

void solve() {
    cin >> N >> ax >> ay >> bx >> by;
    vec.assign(N, vector<int>(N));
    for (auto& v : vec)
        for (auto& x : v) cin >> x;
    dp.assign(N, vector<vector<int>>(N, vector<int>(N + 1, -1)));
    cout << f(ax, ay, 0) << "\n";
}

signed main() {
    int T = 1;
    cin >> T;
    for (int t = 0; t < T; t++) solve();
}
