// Marks the columns that the runner has visited in a table that has as many entries as the
// board has rows. On a wide board at() throws.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int t;
    cin >> t;
    while (t--) {
        int h, w, xa, ya, xb, yb;
        cin >> h >> w >> xa >> ya >> xb >> yb;
        if (xa >= xb) {
            cout << "Draw\n";
            continue;
        }
        int d = xb - xa;
        int chaser = d % 2 ? ya : yb, runner = d % 2 ? yb : ya;
        int dir = runner >= chaser ? 1 : -1;
        vector<int> visited(h + 1);
        for (int i = d; i > 0; i--) {
            if (i % 2) chaser += (runner > chaser) - (runner < chaser);
            else runner = max(1, min(w, runner + dir));
            visited.at(runner) = i;
        }
        cout << (chaser != runner ? "Draw" : d % 2 ? "Alice" : "Bob") << "\n";
    }
}
