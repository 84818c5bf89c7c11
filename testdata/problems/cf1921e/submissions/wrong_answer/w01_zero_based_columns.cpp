// Counts columns from 0, but still stops at w on the right, one column beyond the board.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int t;
    cin >> t;
    while (t--) {
        int h, w, xa, ya, xb, yb;
        cin >> h >> w >> xa >> ya >> xb >> yb;
        xa--; ya--; xb--; yb--;
        string ans = "Draw";
        if (xa < xb) {
            int d = xb - xa, a = (d + 1) / 2, b = d / 2;
            if (d % 2) {
                if (ya == yb) ans = "Alice";
                else if (ya < yb && min(w, ya + a) >= min(w, yb + b)) ans = "Alice";
                else if (ya > yb && max(0, ya - a) <= max(0, yb - b)) ans = "Alice";
            } else {
                if (ya == yb) ans = "Bob";
                else if (ya < yb && max(0, yb - b) <= max(0, ya - a)) ans = "Bob";
                else if (ya > yb && min(w, yb + b) >= min(w, ya + a)) ans = "Bob";
            }
        }
        cout << ans << "\n";
    }
}
