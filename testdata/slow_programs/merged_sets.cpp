// Merges sets by moving the elements of the second one, which may be the larger.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<vector<int>> sets(n + 1);
    vector<int> set_of(n + 1);
    for (int v = 1; v <= n; v++) sets[v] = {v}, set_of[v] = v;
    long long sum = 0;
    while (m--) {
        int u, v;
        scanf("%d %d", &u, &v);
        u = set_of[u], v = set_of[v];
        if (u == v) continue;
#ifndef SLOW
        if (sets[u].size() < sets[v].size()) swap(u, v);
#endif
        for (int x : sets[v]) set_of[x] = u, sets[u].push_back(x);
        vector<int>().swap(sets[v]);
        sum += sets[u].size();
    }
    printf("%lld\n", sum);
}
