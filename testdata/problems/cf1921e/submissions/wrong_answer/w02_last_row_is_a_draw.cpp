// Misreads the end of the game: takes it for a draw as soon as Alice stands in row h or Bob in row 1, and looks
// at that before looking whether the move has just eaten the other chip.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int t;
    cin >> t;
    while (t--) {
        int h, w, xa, ya, xb, yb;
        cin >> h >> w >> xa >> ya >> xb >> yb;
        bool alice = true, aliceChases = (xb - xa) % 2 != 0;
        string ans;
        if (xa >= xb) ans = "Draw";
        while (ans.empty()) {
            int& me = alice ? ya : yb;
            int other = alice ? yb : ya;
            int step = (other > me) - (other < me);
            if (alice != aliceChases) step = step ? -step : 1;
            me = max(1, min(w, me + step));
            if (alice) xa++;
            else xb--;
            if (xa == h || xb == 1) ans = "Draw";
            else if (xa == xb) ans = ya != yb ? "Draw" : alice ? "Alice" : "Bob";
            alice = !alice;
        }
        cout << ans << "\n";
    }
}
