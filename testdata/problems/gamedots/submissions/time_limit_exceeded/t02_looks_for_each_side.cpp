// Correct, but searches the whole list of edges for each side of each square.
#include <bits/stdc++.h>
using namespace std;

int n, m, e;
vector<array<int, 2>> walls;

bool wall(int x, int y) {
    return find(walls.begin(), walls.end(), array<int, 2>{x, y}) != walls.end();
}

vector<int> chains, loops_;

void readParts() {
    scanf("%d %d %d", &n, &m, &e);
    walls.clear();
    chains.clear();
    loops_.clear();
    for (int i = 0; i < e; i++) {
        int a, b, c, d;
        scanf("%d %d %d %d", &a, &b, &c, &d);
        walls.push_back({a + c, b + d});
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
                    if (wall(2 * x + 1 + dx[d], 2 * y + 1 + dy[d])) continue;
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
    sort(loops_.rbegin(), loops_.rend());
    int p = 0, q = loops_.size();
    while (p < (int)chains.size() && chains[p] > 2) p++;
    vector<long long> v(q + 1);
    for (int i = 0; i <= p; i++)
        for (int j = 0; j <= q; j++) {
            long long best = i + j ? LLONG_MAX : 0;
            if (i) best = min(best, llabs(v[j] - 2) + chains[i - 1] - 2);
            if (j) best = min(best, llabs(v[j - 1] - 4) + loops_[j - 1] - 4);
            v[j] = best;
        }
    long long w = v[q];
    for (int k : chains)
        if (k <= 2) w = k - w;
    return w;
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
