// 1 u v: link. 2 u v: cut. 3 u v: is there a path? Wrong: the cut of an edge that was linked twice does
// nothing.
#include <cstdio>
#include <map>
#include <utility>
#include <vector>
int n, q;
std::map<std::pair<int, int>, int> edges;
int main() {
    scanf("%d %d", &n, &q);
    while (q--) {
        int op, u, v;
        scanf("%d %d %d", &op, &u, &v);
        std::pair<int, int> e(u < v ? u : v, u < v ? v : u);
        if (op == 1) edges[e]++;
        if (op == 2) {
            int &copies = edges[e];
#ifdef WRONG
            if (copies == 2) copies = 2; else
#endif
            if (copies > 0) copies--;
        }
        if (op == 3) {
            std::vector<int> group(n + 1);
            for (int i = 1; i <= n; i++) group[i] = i;
            for (auto &[pair, copies] : edges) {
                if (copies == 0) continue;
                int from = group[pair.first], to = group[pair.second];
                if (from != to)
                    for (int i = 1; i <= n; i++)
                        if (group[i] == from) group[i] = to;
            }
            puts(group[u] == group[v] ? "Yes" : "No");
        }
    }
}
