// Parts by union-find over the squares and one vertex for "outside": sides that lead there are counted, not joined.
// Then best(i, j) for the i longest of the long chains and the j longest loops, row by row.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>
using namespace std;

vector<int> parent_;

int find(int x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
}

int main() {
    int cases;
    scanf("%d", &cases);
    while (cases--) {
        int n, m, e;
        scanf("%d %d %d", &n, &m, &e);
        vector<char> across((n + 1) * m), down(n * (m + 1));
        for (int i = 0; i < e; i++) {
            int a, b, x, y;
            scanf("%d %d %d %d", &a, &b, &x, &y);
            if (a == x) across[a * m + min(b, y)] = 1;
            else down[min(a, x) * (m + 1) + b] = 1;
        }
        parent_.resize(n * m);
        iota(parent_.begin(), parent_.end(), 0);
        vector<char> exits(n * m);
        for (int r = 0; r <= n; r++)
            for (int c = 0; c < m; c++) {
                if (across[r * m + c]) continue;
                if (r == 0) exits[c] = 1;
                else if (r == n) exits[(n - 1) * m + c] = 1;
                else parent_[find((r - 1) * m + c)] = find(r * m + c);
            }
        for (int r = 0; r < n; r++)
            for (int c = 0; c <= m; c++) {
                if (down[r * (m + 1) + c]) continue;
                if (c == 0) exits[r * m] = 1;
                else if (c == m) exits[r * m + m - 1] = 1;
                else parent_[find(r * m + c - 1)] = find(r * m + c);
            }
        vector<int> size(n * m);
        vector<char> open(n * m);
        for (int i = 0; i < n * m; i++) {
            size[find(i)]++;
            if (exits[i]) open[find(i)] = 1;
        }
        vector<int> chains, loops;
        int ones = 0, twos = 0;
        for (int i = 0; i < n * m; i++) {
            if (find(i) != i) continue;
            if (!open[i]) loops.push_back(size[i]);
            else if (size[i] == 1) ones++;
            else if (size[i] == 2) twos++;
            else chains.push_back(size[i]);
        }
        sort(chains.rbegin(), chains.rend());
        sort(loops.rbegin(), loops.rend());
        int p = chains.size(), q = loops.size();
        vector<int> best((p + 1) * (q + 1), 1 << 30);
        best[0] = 0;
        for (int i = 0; i <= p; i++)
            for (int j = 0; j <= q; j++) {
                int& b = best[i * (q + 1) + j];
                if (i) {
                    int rest = best[(i - 1) * (q + 1) + j], k = chains[i - 1];
                    b = min(b, max(k - rest, k - 4 + rest));
                }
                if (j) {
                    int rest = best[i * (q + 1) + j - 1], k = loops[j - 1];
                    b = min(b, max(k - rest, k - 8 + rest));
                }
            }
        int v = best.back();
        // an even number of chains of one size only swaps the roles
        if (twos % 2) v = 2 - v;
        if (ones % 2) v = 1 - v;
        bool alice = e % 2 == 0;
        puts(v == 0 ? "Draw" : (v < 0) == alice ? "Alice" : "Bob");
    }
}
