// Right, but clears two tables of 10^6 rows before each of up to 10^4 games.
#include <bits/stdc++.h>
using namespace std;

long long aliceIn[1000002], bobIn[1000002];

int main() {
    int t;
    scanf("%d", &t);
    while (t--) {
        int h, w, xa, ya, xb, yb;
        scanf("%d%d%d%d%d%d", &h, &w, &xa, &ya, &xb, &yb);
        memset(aliceIn, 0, sizeof aliceIn);
        memset(bobIn, 0, sizeof bobIn);
        bool aliceChases = (xb - xa) % 2 != 0;
        aliceIn[xa] = ya;
        bobIn[xb] = yb;
        for (bool alice = true; xa < xb; alice = !alice) {
            int me = alice ? ya : yb, other = alice ? yb : ya;
            int step = other > me ? 1 : other < me ? -1 : 0;
            if (alice != aliceChases) step = step ? -step : 1;
            me = max(1, min(w, me + step));
            if (alice) aliceIn[++xa] = ya = me;
            else bobIn[--xb] = yb = me;
        }
        const char* ans = "Draw";
        for (int x = 1; x <= h; x++)
            if (aliceIn[x] != 0 && aliceIn[x] == bobIn[x] && x == xa && x == xb) ans = aliceChases ? "Alice" : "Bob";
        puts(ans);
    }
}
