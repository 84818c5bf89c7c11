// Follows the comments of a published solution where they contradict its code: when Bob chases and Alice
// is on his left, both run to the right.
#include <bits/stdc++.h>
using namespace std;

int h, w, xa, ya, xb, yb;

bool meet(int step) {
    int a = ya, b = yb;
    for (int i = 0; i < xb - xa; i++) {
        if (a == b) return true;
        int& y = i % 2 == 0 ? a : b;
        y = max(1, min(w, y + step));
    }
    return a == b;
}

int main() {
    int t;
    cin >> t;
    while (t--) {
        cin >> h >> w >> xa >> ya >> xb >> yb;
        string ans = "Draw";
        if (xa < xb) {
            if ((xb - xa) % 2 == 1) {
                if (ya <= yb && meet(1)) ans = "Alice";   // both go right
                if (ya >= yb && meet(-1)) ans = "Alice";  // both go left
            } else {
                if (ya <= yb && meet(1)) ans = "Bob";     // both go right
                if (ya >= yb && meet(-1)) ans = "Bob";    // both go left
            }
        }
        cout << ans << "\n";
    }
}
