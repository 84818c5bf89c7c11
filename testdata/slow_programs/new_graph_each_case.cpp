// The largest degree of each graph; the lists of the largest possible graph are made for each case.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int cases;
    scanf("%d", &cases);
    while (cases--) {
        int n, m;
        scanf("%d %d", &n, &m);
#ifdef SLOW
        vector<vector<int>> graph(200001);
#else
        vector<vector<int>> graph(n + 1);
#endif
        while (m--) {
            int u, v;
            scanf("%d %d", &u, &v);
            graph[u].push_back(v), graph[v].push_back(u);
        }
        size_t most = 0;
        for (int v = 1; v <= n; v++) most = max(most, graph[v].size());
        printf("%zu\n", most);
    }
}
