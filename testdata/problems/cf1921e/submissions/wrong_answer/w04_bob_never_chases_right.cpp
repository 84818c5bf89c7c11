// A missed direction: Alice is chased to the left wall only. That Bob can also
// catch her at the right wall is forgotten.
#include <iostream>
#include <algorithm>
using namespace std;

void solve() {
    long long h, w, xa, ya, xb, yb;
    cin >> h >> w >> xa >> ya >> xb >> yb;
    if (xa >= xb) { cout << "Draw\n"; return; }
    long long d = xb - xa;
    if (d % 2 == 1) {
        long long k = (d + 1) / 2;
        bool win = abs(ya - yb) <= 1;
        if (ya < yb && ya + k >= w) win = true;
        if (ya > yb && ya - k <= 1) win = true;
        cout << (win ? "Alice\n" : "Draw\n");
    } else {
        long long k = d / 2;
        bool win = ya == yb;
        if (ya < yb && yb - k <= 1) win = true;
        cout << (win ? "Bob\n" : "Draw\n");
    }
}

int main() {
    int t;
    cin >> t;
    while (t--) solve();
}
