// Lets both chips run in one direction and compares their columns at the end only. If they start in the same column,
// Alice has then run past Bob by one, and the win is missed away from the walls.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int t;
    scanf("%d", &t);
    while (t--) {
        int h, w, xa, ya, xb, yb;
        scanf("%d%d%d%d%d%d", &h, &w, &xa, &ya, &xb, &yb);
        int turns = xb - xa;
        auto run = [&](int dir) {
            int a = ya, b = yb;
            for (int i = 1; i <= turns; i++) {
                if (i & 1) a = min(w, max(1, a + dir));
                else b = min(w, max(1, b + dir));
            }
            if (turns % 2 == 1 && ya != yb) return dir > 0 ? a >= b : a <= b;
            return a == b;
        };
        bool caught = false;
        if (turns > 0 && turns % 2 == 1) caught = (ya <= yb && run(1)) || (ya >= yb && run(-1));
        if (turns > 0 && turns % 2 == 0) caught = (ya <= yb && run(-1)) || (ya >= yb && run(1));
        puts(!caught ? "Draw" : turns % 2 ? "Alice" : "Bob");
    }
}
