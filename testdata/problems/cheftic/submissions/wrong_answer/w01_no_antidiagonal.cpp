// Rows, columns and the diagonals that run down to the right; the ones that run down
// to the left are forgotten.
#include <bits/stdc++.h>
using namespace std;

int n, k;
vector<string> g;

bool line(int x, int y, int dx, int dy) {
    int xs = 0, dots = 0;
    for (int i = 0; i < k; i++, x += dx, y += dy) {
        if (x >= n || y >= n) return false;
        xs += g[x][y] == 'X';
        dots += g[x][y] == '.';
    }
    return xs == k - 1 && dots == 1;
}

int main() {
    int t;
    cin >> t;
    while (t--) {
        cin >> n >> k;
        g.assign(n, "");
        for (auto& r : g) cin >> r;
        bool ok = false;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                ok |= line(i, j, 0, 1) || line(i, j, 1, 0) || line(i, j, 1, 1);
        puts(ok ? "YES" : "NO");
    }
}
