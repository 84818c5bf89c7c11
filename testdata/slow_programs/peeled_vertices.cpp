// The longest path of an acyclic graph: passes over the edges in the order of the input, until nothing changes.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<pair<int, int>> edges(m);
    for (auto &[u, v] : edges) scanf("%d %d", &u, &v);
    vector<int> longest(n + 1);
#ifdef SLOW
    for (bool changed = true; changed;) {
        changed = false;
        for (auto [u, v] : edges)
            if (longest[v] <= longest[u]) longest[v] = longest[u] + 1, changed = true;
    }
#else
    vector<vector<int>> graph(n + 1);
    vector<int> before(n + 1), ready;
    for (auto [u, v] : edges) graph[u].push_back(v), before[v]++;
    for (int v = 1; v <= n; v++)
        if (!before[v]) ready.push_back(v);
    for (size_t i = 0; i < ready.size(); i++)
        for (int v : graph[ready[i]]) {
            longest[v] = max(longest[v], longest[ready[i]] + 1);
            if (!--before[v]) ready.push_back(v);
        }
#endif
    printf("%d\n", *max_element(longest.begin(), longest.end()));
}
