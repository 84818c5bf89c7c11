// Right, but for each X it tries it cuts every window of K cells of the board out as a string of its own
// and compares it with K letters X.
#include <bits/stdc++.h>
using namespace std;

string cut(const vector<string>& g, int x, int y, int dx, int dy, int k) {
    string s;
    for (int i = 0; i < k; i++, x += dx, y += dy)
        if (x < (int)g.size() && y >= 0 && y < (int)g.size()) s = s + g[x][y];
    return s;
}

bool won(vector<string> g, int k) {
    int n = g.size();
    set<string> lines;
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
            for (auto [dx, dy] : {pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) lines.insert(cut(g, x, y, dx, dy, k));
    return lines.count(string(k, 'X'));
}

int main() {
    int t;
    cin >> t;
    while (t--) {
        int n, k;
        cin >> n >> k;
        vector<string> g(n);
        for (auto& r : g) cin >> r;
        bool ok = false;
        for (auto& r : g)
            for (auto& c : r)
                if (c == '.' && !ok) {
                    c = 'X';
                    ok = won(g, k);
                    c = '.';
                }
        cout << (ok ? "YES" : "NO") << endl;
    }
}
