// The last window is one cell too far (x + k <= n + 1), so a line that begins with the right cells
// is followed off the board, and at() throws.
#include <bits/stdc++.h>
using namespace std;

int n, k;
vector<string> g;

bool good(int x, int y, int dx, int dy) {
    int dots = 0;
    for (int i = 0; i < k; i++) {
        char c = g.at(x + i * dx).at(y + i * dy);
        if (c == 'O') return false;
        if (c == '.' && ++dots > 1) return false;
    }
    return dots == 1;
}

bool solve() {
    int xs = 0;
    for (auto& r : g) xs += count(r.begin(), r.end(), 'X');
    if (xs == 0) return k == 1;
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++) {
            bool down = x + k <= n + 1, right = y + k <= n + 1, left = y - k >= -1;
            if (down && right && good(x, y, 1, 1)) return true;
            if (down && left && good(x, y, 1, -1)) return true;
            if (right && good(x, y, 0, 1)) return true;
            if (down && good(x, y, 1, 0)) return true;
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
