// The lists are those of a tree: each edge is in two of them, there are n-1, and all vertices are connected.
#include "judge.h"

int main() {
    Number n = read(std::cin), ends = 0;
    std::vector<std::vector<Number>> next(n + 1);
    std::multiset<std::pair<Number, Number>> edges;
    for (Number a = 1; a <= n; a++)
        for (Number k = read(std::cin); k--; ends++) {
            next[a].push_back(read(std::cin));
            edges.insert({a, next[a].back()});
        }
    require(ends == 2 * (n - 1), "there are not n-1 edges");
    for (auto [a, b] : edges) require(a != b && edges.count({b, a}) == 1, "an edge is in one list only, or twice");
    std::vector<bool> reached(n + 1);
    std::vector<Number> waiting{1};
    reached[1] = true;
    Number count = 0;
    while (!waiting.empty()) {
        Number a = waiting.back();
        waiting.pop_back(), count++;
        for (Number b : next[a])
            if (!reached[b]) reached[b] = true, waiting.push_back(b);
    }
    require(count == n, "the graph is not connected");
    accept();
}
