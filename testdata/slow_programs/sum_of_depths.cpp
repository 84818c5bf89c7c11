// Climbs from each vertex to the root.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<vector<int>> graph(n + 1);
    for (int i = 1; i < n; i++) {
        int u, v;
        scanf("%d %d", &u, &v);
        graph[u].push_back(v), graph[v].push_back(u);
    }
    vector<int> parent(n + 1), order{1};
    vector<long long> depth(n + 1);
    long long sum = 0;
    for (size_t i = 0; i < order.size(); i++)
        for (int v : graph[order[i]])
            if (v != parent[order[i]]) parent[v] = order[i], depth[v] = depth[order[i]] + 1, order.push_back(v);
    for (int v : order)
#ifdef SLOW
        for (int u = v; u != 1; u = parent[u]) sum++;
#else
        sum += depth[v];
#endif
    printf("%lld\n", sum);
}
