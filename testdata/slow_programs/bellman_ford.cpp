// Distances from 1: all edges again and again, in the order of the input, until nothing changes.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<array<int, 3>> edges(m);
    for (auto &[u, v, w] : edges) scanf("%d %d %d", &u, &v, &w);
    vector<long long> dist(n + 1, LLONG_MAX / 2);
    dist[1] = 0;
#ifdef SLOW
    for (bool changed = true; changed;) {
        changed = false;
        for (auto [u, v, w] : edges)
            if (dist[u] + w < dist[v]) dist[v] = dist[u] + w, changed = true;
    }
#else
    vector<vector<pair<int, int>>> graph(n + 1);
    for (auto [u, v, w] : edges) graph[u].push_back({v, w});
    priority_queue<pair<long long, int>> queue;
    queue.push({0, 1});
    while (!queue.empty()) {
        auto [d, u] = queue.top();
        queue.pop();
        if (-d != dist[u]) continue;
        for (auto [v, w] : graph[u])
            if (dist[u] + w < dist[v]) dist[v] = dist[u] + w, queue.push({-dist[v], v});
    }
#endif
    long long sum = 0;
    for (int v = 1; v <= n; v++) sum += dist[v] < LLONG_MAX / 2 ? dist[v] % 1000003 : 1;
    printf("%lld\n", sum);
}
