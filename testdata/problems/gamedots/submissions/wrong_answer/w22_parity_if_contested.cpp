// Knows that a controlled value of two or more is the value, and assumes that otherwise each player gets half, as far
// as the number of squares allows.
#include <bits/stdc++.h>
using namespace std;

int n, m, e;
bool wall[405][405];
vector<int> chains, loops_;

void readParts() {
    scanf("%d %d %d", &n, &m, &e);
    memset(wall, 0, sizeof wall);
    chains.clear();
    loops_.clear();
    for (int i = 0; i < e; i++) {
        int a, b, c, d;
        scanf("%d %d %d %d", &a, &b, &c, &d);
        wall[a + c][b + d] = true;
    }
    vector<vector<char>> seen(n, vector<char>(m));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (seen[i][j]) continue;
            seen[i][j] = 1;
            int size = 0, ends = 0;
            vector<pair<int, int>> st = {{i, j}};
            while (!st.empty()) {
                auto [x, y] = st.back();
                st.pop_back();
                size++;
                int dx[] = {0, 0, 1, -1}, dy[] = {1, -1, 0, 0};
                for (int d = 0; d < 4; d++) {
                    if (wall[2 * x + 1 + dx[d]][2 * y + 1 + dy[d]]) continue;
                    int u = x + dx[d], v = y + dy[d];
                    if (u < 0 || v < 0 || u >= n || v >= m) ends++;
                    else if (!seen[u][v]) seen[u][v] = 1, st.push_back({u, v});
                }
            }
            (ends ? chains : loops_).push_back(size);
        }
}

long long value() {
    sort(chains.rbegin(), chains.rend());
    long long v = 0, squares = 0;
    bool any = false, four = false;
    for (int k : chains)
        if (k > 2) v += k - 4, squares += k, any = true, four |= k > 3;
    for (int k : loops_) v += k - 8, squares += k;
    if (any && (four || loops_.empty())) v += 4;
    else if (any) v += 6;
    else if (!loops_.empty()) v += 8;
    if (v < 2) v = squares % 2;
    for (int k : chains)
        if (k <= 2) v = k - v;
    return v;
}

int main() {
    int t;
    scanf("%d", &t);
    while (t--) {
        readParts();
        long long v = value();
        bool alice = e % 2 == 0;
        puts(v == 0 ? "Draw" : (v < 0) == alice ? "Alice" : "Bob");
    }
}
