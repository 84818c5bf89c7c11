// Pairs of vertices at distance k, by splitting the tree at any vertex instead of at its centroid.
#include <bits/stdc++.h>
using namespace std;

vector<vector<int>> graph;
vector<char> done;
vector<int> order, from_of, size_of, level;
int n, k;

int choose(int root) {
    order = {root}, from_of[root] = 0;
    for (size_t i = 0; i < order.size(); i++)
        for (int v : graph[order[i]])
            if (v != from_of[order[i]] && !done[v]) from_of[v] = order[i], order.push_back(v);
#ifdef SLOW
    return root;
#endif
    for (size_t i = order.size(); i--;) {
        int v = order[i];
        size_of[v] = 1;
        for (int w : graph[v])
            if (w != from_of[v] && !done[w]) size_of[v] += size_of[w];
        if (2 * size_of[v] >= (int)order.size()) return v;
    }
    return root;
}

int main() {
    scanf("%d %d", &n, &k);
    graph.resize(n + 1), done.resize(n + 1), from_of.resize(n + 1), size_of.resize(n + 1), level.resize(n + 1);
    for (int i = 1; i < n; i++) {
        int u, v;
        scanf("%d %d", &u, &v);
        graph[u].push_back(v), graph[v].push_back(u);
    }
    long long count = 0;
    vector<int> todo = {1};
    vector<int> at(k + 1);
    while (!todo.empty()) {
        int center = choose(todo.back());
        todo.pop_back();
        done[center] = 1;
        int deepest = 0;
        at[0] = 1;
        for (int start : graph[center]) {
            if (done[start]) continue;
            vector<int> part = {start};
            from_of[start] = center, level[start] = 1;
            for (size_t i = 0; i < part.size(); i++) {
                int v = part[i];
                if (level[v] > k) continue;
                count += at[k - level[v]];
                for (int w : graph[v])
                    if (w != from_of[v] && !done[w]) from_of[w] = v, level[w] = level[v] + 1, part.push_back(w);
            }
            for (int v : part)
                if (level[v] <= k) at[level[v]]++, deepest = max(deepest, level[v]);
            todo.push_back(start);
        }
        fill(at.begin(), at.begin() + deepest + 1, 0);
    }
    printf("%lld\n", count);
}
