// Dijkstra that expands stale entries of its queue.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<vector<pair<int, int>>> graph(n + 1);
    for (int i = 0; i < m; i++) {
        int u, v, w;
        scanf("%d %d %d", &u, &v, &w);
        graph[u].push_back({v, w}), graph[v].push_back({u, w});
    }
    vector<long long> distance(n + 1, LLONG_MAX);
    distance[1] = 0;
    priority_queue<pair<long long, int>> waiting;
    waiting.push({0, 1});
    while (!waiting.empty()) {
        auto [d, u] = waiting.top();
        waiting.pop();
#ifndef SLOW
        if (-d > distance[u]) continue;
#endif
        for (auto [v, w] : graph[u])
            if (distance[u] + w < distance[v]) waiting.push({-(distance[v] = distance[u] + w), v});
    }
    printf("%lld\n", *max_element(distance.begin() + 1, distance.end()));
}
