// For K = 1 the answer is clear, so it is printed at once, before the board has been read. The rest
// of the file is then read as something else.
#include <bits/stdc++.h>
using namespace std;

string solve() {
    int n = 0, k = 0;
    cin >> n >> k;
    if (k == 1) return "YES";
    vector<string> g(n);
    for (auto& r : g) cin >> r;
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
            for (auto [dx, dy] : {pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
                int ex = x + dx * (k - 1), ey = y + dy * (k - 1);
                if (ex >= n || ey < 0 || ey >= n) continue;
                int xs = 0, os = 0;
                for (int i = 0; i < k; i++) {
                    xs += g[x + i * dx][y + i * dy] == 'X';
                    os += g[x + i * dx][y + i * dy] == 'O';
                }
                if (xs == k - 1 && os == 0) return "YES";
            }
    return "NO";
}

int main() {
    int t;
    cin >> t;
    while (t--) cout << solve() << '\n';
}
