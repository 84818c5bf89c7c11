// There is a vertex without which the graph is a tree: all but n-2 edges end in it, and the others connect the rest.
#include "judge.h"

int find(std::vector<int> &parent, int vertex) {
    while (parent[vertex] != vertex) vertex = parent[vertex] = parent[parent[vertex]];
    return vertex;
}

bool leaves_a_tree(int without, int n, const std::vector<std::pair<int, int>> &edges) {
    std::vector<int> parent(n + 1);
    for (int i = 1; i <= n; i++) parent[i] = i;
    for (auto [u, v] : edges)
        if (u != without && v != without) {
            int a = find(parent, u), b = find(parent, v);
            if (a == b) return false;
            parent[a] = b;
        }
    return true;
}

int main() {
    int n = int(read(std::cin)), m = int(read(std::cin));
    std::vector<std::pair<int, int>> edges(m);
    std::vector<int> degree(n + 1);
    for (auto &[u, v] : edges) {
        u = int(read(std::cin)), v = int(read(std::cin));
        degree[u]++, degree[v]++;
    }
    if (m == n - 1) accept();
    // At most a few vertices have this degree, unless the graph is nearly a tree.
    for (int i = 1, tried = 0; i <= n && tried < 1000; i++)
        if (degree[i] == m - (n - 2)) {
            tried++;
            if (leaves_a_tree(i, n, edges)) accept();
        }
    refuse("no vertex leaves a tree");
}
