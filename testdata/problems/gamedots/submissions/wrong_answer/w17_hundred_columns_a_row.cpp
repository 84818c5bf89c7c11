// Keeps the sides in two tables of a hundred columns a row. The length of a part is computed from its undrawn sides.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int cases;
    scanf("%d", &cases);
    while (cases--) {
        int n, m, e;
        scanf("%d %d %d", &n, &m, &e);
        vector<char> across(50000), down(50000);
        for (int i = 0; i < e; i++) {
            int r1, c1, r2, c2;
            scanf("%d %d %d %d", &r1, &c1, &r2, &c2);
            if (r1 == r2) across[r1 * 100 + min(c1, c2)] = 1;
            else down[min(r1, r2) * 101 + c1] = 1;
        }
        vector<int> parent(n * m), sides(n * m), exits(n * m);
        iota(parent.begin(), parent.end(), 0);
        function<int(int)> find = [&](int x) {
            while (parent[x] != x) x = parent[x] = parent[parent[x]];
            return x;
        };
        auto open = [&](int a, int b) {  // -1 is outside
            int inside = a < 0 ? b : a;
            if (a < 0 || b < 0) exits[inside]++;
            else parent[find(a)] = find(b);
            sides[inside]++;
        };
        for (int r = 0; r <= n; r++)
            for (int c = 0; c < m; c++)
                if (!across[r * 100 + c]) open(r > 0 ? (r - 1) * m + c : -1, r < n ? r * m + c : -1);
        for (int r = 0; r < n; r++)
            for (int c = 0; c <= m; c++)
                if (!down[r * 101 + c]) open(c > 0 ? r * m + c - 1 : -1, c < m ? r * m + c : -1);
        vector<int> total(n * m), leads(n * m);
        for (int i = 0; i < n * m; i++) total[find(i)] += sides[i], leads[find(i)] += exits[i];
        vector<int> small, chains, loops;
        for (int i = 0; i < n * m; i++) {
            if (find(i) != i) continue;
            if (!leads[i]) loops.push_back(total[i]);
            else if (total[i] <= 3) small.push_back(total[i] - 1);
            else chains.push_back(total[i] - 1);
        }
        sort(small.rbegin(), small.rend());
        sort(chains.rbegin(), chains.rend());
        sort(loops.rbegin(), loops.rend());
        vector<int> best(loops.size() + 1);
        for (size_t i = 0; i <= chains.size(); i++)
            for (size_t j = 0; j <= loops.size(); j++) {
                int v = i + j ? INT_MAX : 0;
                if (i) v = min(v, abs(best[j] - 2) + chains[i - 1] - 2);
                if (j) v = min(v, abs(best[j - 1] - 4) + loops[j - 1] - 4);
                best[j] = v;
            }
        int v = best.back();
        for (int k : small) v = k - v;
        puts(v == 0 ? "Draw" : (v > 0) == (e % 2 == 0) ? "Bob" : "Alice");
    }
}
