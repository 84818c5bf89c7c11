// Correct, but computes the same rectangles again and again.
#include <bits/stdc++.h>
using namespace std;

int R, C;
string g[25];
bool monster[25][25];

void findMonsters() {
    for (int r = 0; r < R; r++)
        for (int c = 0; c < C; c++) {
            monster[r][c] = r >= 2 && c >= 2 && r + 2 < R && c + 2 < C;
            for (int d = -2; d <= 2 && monster[r][c]; d++)
                if (g[r + d][c] != '^' || g[r][c + d] != '^') monster[r][c] = false;
        }
}

int grundy(int r1, int c1, int r2, int c2) {
    if (r1 > r2 || c1 > c2) return 0;
    set<int> seen;
    for (int r = r1; r <= r2; r++)
        for (int c = c1; c <= c2; c++)
            if (monster[r][c])
                seen.insert(grundy(r1, c1, r - 1, c - 1) ^ grundy(r1, c + 1, r - 1, c2) ^
                            grundy(r + 1, c1, r2, c - 1) ^ grundy(r + 1, c + 1, r2, c2));
    int res = 0;
    while (seen.count(res)) res++;
    return res;
}

int main() {
    int T;
    cin >> T;
    while (T--) {
        cin >> R >> C;
        for (int i = 0; i < R; i++) cin >> g[i];
        findMonsters();
        puts(grundy(0, 0, R - 1, C - 1) ? "Asuna" : "Kirito");
    }
}
