// The maximum flow from 1 to n, by any augmenting path.
#include <bits/stdc++.h>
using namespace std;

struct Edge { int to; long long rest; };
vector<Edge> edges;
vector<vector<int>> graph;
vector<char> seen;
int n, m;

long long augment(int v, long long most) {
    if (v == n) return most;
    seen[v] = 1;
    for (int e : graph[v]) {
        if (edges[e].rest <= 0 || seen[edges[e].to]) continue;
        if (long long got = augment(edges[e].to, min(most, edges[e].rest))) {
            edges[e].rest -= got, edges[e ^ 1].rest += got;
            return got;
        }
    }
    return 0;
}

int main() {
    scanf("%d %d", &n, &m);
    graph.resize(n + 1);
    while (m--) {
        int u, v, c;
        scanf("%d %d %d", &u, &v, &c);
        graph[u].push_back(edges.size()), edges.push_back({v, c});
        graph[v].push_back(edges.size()), edges.push_back({u, 0});
    }
    long long flow = 0;
#ifdef SLOW
    for (;;) {
        seen.assign(n + 1, 0);
        long long got = augment(1, LLONG_MAX);
        if (!got) break;
        flow += got;
    }
#else
    for (;;) {
        vector<int> by(n + 1, -1), queue = {1};
        for (size_t i = 0; i < queue.size() && by[n] < 0; i++)
            for (int e : graph[queue[i]])
                if (edges[e].rest > 0 && edges[e].to != 1 && by[edges[e].to] < 0)
                    by[edges[e].to] = e, queue.push_back(edges[e].to);
        if (by[n] < 0) break;
        long long got = LLONG_MAX;
        for (int v = n; v != 1; v = edges[by[v] ^ 1].to) got = min(got, edges[by[v]].rest);
        for (int v = n; v != 1; v = edges[by[v] ^ 1].to) edges[by[v]].rest -= got, edges[by[v] ^ 1].rest += got;
        flow += got;
    }
#endif
    printf("%lld\n", flow);
}
