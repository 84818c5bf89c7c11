// Chains of three first, because they cost least, then loops of four and six, then the rest.
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
    vector<array<int, 3>> parts;
    for (int k : chains) parts.push_back({k <= 3 ? 0 : 3, k, 4});
    for (int k : loops_) parts.push_back({k == 4 ? 1 : k == 6 ? 2 : 3, k, 8});
    sort(parts.rbegin(), parts.rend());
    long long v = 0;
    for (auto [group, k, leave] : parts) v = k <= 2 ? k - v : max(k - v, k - leave + v);
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
