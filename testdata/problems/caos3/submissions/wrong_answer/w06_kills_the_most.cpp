// Both pour where most monsters die, and the player who pours last wins.
#include <bits/stdc++.h>
using namespace std;

int R, C;
string g[25];
int lava[25][25];
vector<pair<int, int>> monsters;

int pour(int r0, int c0, bool keep) {
    vector<pair<int, int>> wet = {{r0, c0}};
    for (auto [dr, dc] : vector<pair<int, int>>{{0, 1}, {1, 0}, {0, -1}, {-1, 0}})
        for (int r = r0 + dr, c = c0 + dc; r >= 0 && c >= 0 && r < R && c < C && !lava[r][c]; r += dr, c += dc) wet.push_back({r, c});
    int killed = 0;
    for (auto cell : wet) killed += count(monsters.begin(), monsters.end(), cell);
    if (keep)
        for (auto [r, c] : wet) lava[r][c] = 1;
    return killed;
}

int main() {
    int T;
    cin >> T;
    while (T--) {
        cin >> R >> C;
        for (int i = 0; i < R; i++) cin >> g[i];
        memset(lava, 0, sizeof lava);
        monsters.clear();
        for (int r = 2; r + 2 < R; r++)
            for (int c = 2; c + 2 < C; c++) {
                bool all = true;
                for (int d = -2; d <= 2; d++) all = all && g[r + d][c] == '^' && g[r][c + d] == '^';
                if (all) monsters.push_back({r, c});
            }
        int moves = 0;
        while (true) {
            pair<int, int> best;
            int most = 0;
            for (auto [r, c] : monsters)
                if (!lava[r][c]) {
                    int killed = pour(r, c, false);
                    if (killed > most) most = killed, best = {r, c};
                }
            if (most == 0) break;
            pour(best.first, best.second, true);
            moves++;
        }
        puts(moves % 2 ? "Asuna" : "Kirito");
    }
}
