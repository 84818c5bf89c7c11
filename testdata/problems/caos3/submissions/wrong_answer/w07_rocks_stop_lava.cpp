// Reads the statement so that rock stops lava as old lava does: searches all games with a memory.
#include <bits/stdc++.h>
using namespace std;

int R, C;
string g[25];
map<vector<string>, bool> memo;

bool wins(const vector<string>& now, const vector<pair<int, int>>& monsters) {
    auto known = memo.find(now);
    if (known != memo.end()) return known->second;
    bool res = false;
    for (auto [r0, c0] : monsters) {
        if (now[r0][c0] != '^') continue;
        vector<string> next = now;
        next[r0][c0] = '~';
        for (auto [dr, dc] : vector<pair<int, int>>{{0, 1}, {1, 0}, {0, -1}, {-1, 0}})
            for (int r = r0 + dr, c = c0 + dc; r >= 0 && c >= 0 && r < R && c < C && now[r][c] == '^'; r += dr, c += dc) next[r][c] = '~';
        if (!wins(next, monsters)) {
            res = true;
            break;
        }
    }
    return memo[now] = res;
}

int main() {
    int T;
    cin >> T;
    while (T--) {
        cin >> R >> C;
        for (int i = 0; i < R; i++) cin >> g[i];
        memo.clear();
        vector<pair<int, int>> monsters;
        for (int r = 2; r + 2 < R; r++)
            for (int c = 2; c + 2 < C; c++) {
                bool all = true;
                for (int d = -2; d <= 2; d++) all = all && g[r + d][c] == '^' && g[r][c + d] == '^';
                if (all) monsters.push_back({r, c});
            }
        puts(wins(vector<string>(g, g + R), monsters) ? "Asuna" : "Kirito");
    }
}
