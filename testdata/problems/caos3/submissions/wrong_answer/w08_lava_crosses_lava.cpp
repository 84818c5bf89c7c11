// Lava runs on over old lava to the border. So a move takes a row and a column out of the whole map.
#include <bits/stdc++.h>
using namespace std;

int R, C;
string g[25];
map<pair<int, int>, bool> memo;
vector<pair<int, int>> monsters;

bool wins(int rows, int cols) {
    auto key = make_pair(rows, cols);
    if (memo.count(key)) return memo[key];
    bool res = false;
    for (auto [r, c] : monsters)
        if (!(rows >> r & 1) && !(cols >> c & 1) && !wins(rows | 1 << r, cols | 1 << c)) {
            res = true;
            break;
        }
    return memo[key] = res;
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
        puts(wins(0, 0) ? "Asuna" : "Kirito");
    }
}
