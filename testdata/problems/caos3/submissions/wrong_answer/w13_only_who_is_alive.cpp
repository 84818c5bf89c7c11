// Searches all games, but remembers them by the monsters that are alive: where the lava lies matters, too.
#include <bits/stdc++.h>
using namespace std;

typedef bitset<400> Cells;
int R, C;
string g[25];
unordered_map<Cells, bool> memo;
vector<pair<int, int>> monsters;

bool wins(const Cells& lava) {
    Cells alive;
    for (size_t i = 0; i < monsters.size(); i++) alive[i] = !lava[monsters[i].first * C + monsters[i].second];
    auto known = memo.find(alive);
    if (known != memo.end()) return known->second;
    bool res = false;
    for (size_t i = 0; i < monsters.size() && !res; i++) {
        if (!alive[i]) continue;
        auto [r0, c0] = monsters[i];
        Cells next = lava;
        next[r0 * C + c0] = true;
        for (int c = c0 + 1; c < C && !lava[r0 * C + c]; c++) next[r0 * C + c] = true;
        for (int c = c0 - 1; c >= 0 && !lava[r0 * C + c]; c--) next[r0 * C + c] = true;
        for (int r = r0 + 1; r < R && !lava[r * C + c0]; r++) next[r * C + c0] = true;
        for (int r = r0 - 1; r >= 0 && !lava[r * C + c0]; r--) next[r * C + c0] = true;
        res = !wins(next);
    }
    return memo[alive] = res;
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
        puts(wins(Cells()) ? "Asuna" : "Kirito");
    }
}
