// The "faster solution" in its own words: K-1 consecutive X and an empty cell at one of
// their ends. An empty cell between two shorter runs is missed.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int t;
    cin >> t;
    while (t--) {
        int n, k;
        cin >> n >> k;
        vector<string> g(n);
        for (auto& row : g) cin >> row;
        auto at = [&](int x, int y) {
            return x < 0 || y < 0 || x >= n || y >= n ? '#' : g[x][y];
        };
        int dx[] = {0, 1, 1, 1}, dy[] = {1, 0, 1, -1};
        bool ok = false;
        for (int x = 0; x < n; x++)
            for (int y = 0; y < n; y++)
                for (int d = 0; d < 4; d++) {
                    int run = 0;
                    while (run < k - 1 && at(x + run * dx[d], y + run * dy[d]) == 'X') run++;
                    if (run < k - 1) continue;
                    if (at(x - dx[d], y - dy[d]) == '.') ok = true;
                    if (at(x + run * dx[d], y + run * dy[d]) == '.') ok = true;
                }
        cout << (ok ? "YES\n" : "NO\n");
    }
}
