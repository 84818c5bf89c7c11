// x and y are set before the loop over the directions instead of inside it: only the first
// direction starts in the right cell.
#include <bits/stdc++.h>
using namespace std;

int n, k;
vector<string> g;
int dx[] = {1, 1, 1, 0};
int dy[] = {1, -1, 0, 1};

bool won(int i, int j) {
    int x = i, y = j;
    for (int d = 0; d < 4; d++) {
        int cnt = 0;
        while (x >= 0 && y >= 0 && x < n && y < n && g[x][y] == 'X') {
            cnt++;
            x += dx[d];
            y += dy[d];
        }
        if (cnt >= k) return true;
    }
    return false;
}

bool solve() {
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            if (g[a][b] != '.') continue;
            g[a][b] = 'X';
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    if (won(i, j)) return true;
            g[a][b] = '.';
        }
    return false;
}

int main() {
    int t;
    cin >> t;
    while (t--) {
        cin >> n >> k;
        g.assign(n, "");
        for (auto& r : g) cin >> r;
        cout << (solve() ? "YES" : "NO") << endl;
    }
}
