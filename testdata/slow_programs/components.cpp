// Union-find without compression and rank.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<int> parent(n + 1);
    iota(parent.begin(), parent.end(), 0);
    auto find = [&](int v) {
        while (parent[v] != v) {
#ifndef SLOW
            parent[v] = parent[parent[v]];
#endif
            v = parent[v];
        }
        return v;
    };
    int count = n;
    for (int i = 0; i < m; i++) {
        int u, v;
        scanf("%d %d", &u, &v);
        u = find(u), v = find(v);
        if (u != v) parent[u] = v, count--;
    }
    printf("%d\n", count);
}
