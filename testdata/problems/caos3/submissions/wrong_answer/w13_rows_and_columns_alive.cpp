// Nimbers of rectangles, remembered by the rows and the columns in which somebody lives, wherever they lie: who lives in
// one row and column need not be the same, though.
#include <bits/stdc++.h>
using namespace std;

int R, C;
string g[25];
vector<pair<int, int>> monsters;
map<pair<unsigned, unsigned>, int> memo;

int nimber(int r0, int r1, int c0, int c1) {
    unsigned rows = 0, columns = 0;
    for (auto [r, c] : monsters)
        if (r0 <= r && r < r1 && c0 <= c && c < c1) rows |= 1u << r, columns |= 1u << c;
    if (!rows) return 0;
    pair<unsigned, unsigned> key(rows >> __builtin_ctz(rows), columns >> __builtin_ctz(columns));
    auto known = memo.find(key);
    if (known != memo.end()) return known->second;
    set<int> reached;
    for (auto [r, c] : monsters)
        if (r0 <= r && r < r1 && c0 <= c && c < c1)
            reached.insert(nimber(r0, r, c0, c) ^ nimber(r0, r, c + 1, c1) ^ nimber(r + 1, r1, c0, c) ^
                           nimber(r + 1, r1, c + 1, c1));
    int mex = 0;
    while (reached.count(mex)) mex++;
    return memo[key] = mex;
}

int main() {
    int T;
    cin >> T;
    while (T--) {
        cin >> R >> C;
        for (int i = 0; i < R; i++) cin >> g[i];
        memo.clear();
        monsters.clear();
        for (int r = 2; r + 2 < R; r++)
            for (int c = 2; c + 2 < C; c++) {
                bool all = true;
                for (int d = -2; d <= 2; d++) all = all && g[r + d][c] == '^' && g[r][c + d] == '^';
                if (all) monsters.push_back({r, c});
            }
        puts(nimber(0, R, 0, C) ? "Asuna" : "Kirito");
    }
}
