// The shortest way from the upper left to the lower right corner, by going deep first.
#include <bits/stdc++.h>
using namespace std;

int h, w;
vector<string> board;
vector<vector<int>> dist;
const int DY[] = {1, 0, -1, 0}, DX[] = {0, 1, 0, -1};

void visit(int y, int x, int d) {
    if (y < 0 || x < 0 || y >= h || x >= w || board[y][x] == '#' || dist[y][x] <= d) return;
    dist[y][x] = d;
    for (int k = 0; k < 4; k++) visit(y + DY[k], x + DX[k], d + 1);
}

int main() {
    cin >> h >> w;
    board.resize(h);
    for (auto &row : board) cin >> row;
    dist.assign(h, vector<int>(w, INT_MAX));
#ifdef SLOW
    visit(0, 0, 0);
#else
    deque<pair<int, int>> queue;
    if (board[0][0] == '.') dist[0][0] = 0, queue.push_back({0, 0});
    while (!queue.empty()) {
        auto [y, x] = queue.front();
        queue.pop_front();
        for (int k = 0; k < 4; k++) {
            int a = y + DY[k], b = x + DX[k];
            if (a < 0 || b < 0 || a >= h || b >= w || board[a][b] == '#' || dist[a][b] < INT_MAX) continue;
            dist[a][b] = dist[y][x] + 1, queue.push_back({a, b});
        }
    }
#endif
    int way = dist[h - 1][w - 1];
    printf("%d\n", way == INT_MAX ? -1 : way);
}
