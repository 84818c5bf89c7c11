// Augmenting paths, one after the other.
#include <bits/stdc++.h>
using namespace std;

vector<vector<int>> graph;
vector<int> partner, partner_left, level;
vector<char> seen;

bool augment(int u) {
    for (int v : graph[u]) {
        if (seen[v]) continue;
        seen[v] = 1;
        if (!partner[v] || augment(partner[v])) return partner[v] = u, true;
    }
    return false;
}

// Hopcroft and Karp.
bool find_levels() {
    vector<int> order;
    bool is_found = false;
    for (size_t u = 1; u < graph.size(); u++)
        if (level[u] = partner_left[u] ? -1 : 0, !partner_left[u]) order.push_back(u);
    for (size_t i = 0; i < order.size(); i++)
        for (int v : graph[order[i]]) {
            int next = partner[v];
            if (!next) is_found = true;
            else if (level[next] < 0) level[next] = level[order[i]] + 1, order.push_back(next);
        }
    return is_found;
}

bool augment_level(int u) {
    for (int v : graph[u]) {
        if (seen[v] || (partner[v] && level[partner[v]] != level[u] + 1)) continue;
        seen[v] = 1;
        if (!partner[v] || augment_level(partner[v])) return partner[v] = u, partner_left[u] = v, true;
    }
    return false;
}

int main() {
    int l, r, m, pairs = 0;
    scanf("%d %d %d", &l, &r, &m);
    graph.resize(l + 1), partner.resize(r + 1), partner_left.resize(l + 1), level.resize(l + 1), seen.resize(r + 1);
    for (int i = 0; i < m; i++) {
        int u, v;
        scanf("%d %d", &u, &v);
        graph[u].push_back(v);
    }
#ifdef SLOW
    for (int u = 1; u <= l; u++) {
        fill(seen.begin(), seen.end(), 0);
        pairs += augment(u);
    }
#else
    while (find_levels()) {
        fill(seen.begin(), seen.end(), 0);
        for (int u = 1; u <= l; u++)
            if (!partner_left[u]) pairs += augment_level(u);
    }
#endif
    printf("%d\n", pairs);
}
