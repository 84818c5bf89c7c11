// A random tree; each change removes a random edge, and joins the two parts again by another one.
#include "draw.h"

int main(int count, char *arguments[]) {
    seed(count, arguments);
    int n = int(draw_size(2, 60)), m = int(draw_size(0, 60));
    std::vector<std::pair<int, int>> edges;
    for (int i = 2; i <= n; i++) edges.push_back({int(draw(1, i - 1)), i});
    std::shuffle(edges.begin(), edges.end(), source);
    std::vector<int> order(n - 1);
    std::iota(order.begin(), order.end(), 2);
    std::shuffle(order.begin(), order.end(), source);
    std::printf("%d %d\n", n, m);
    for (auto [u, v] : edges) std::printf("%d %d\n", u, v);
    for (int i = 0; i < n - 1; i++) std::printf("%d%c", order[i], i + 2 < n ? ' ' : '\n');
    while (m--) {
        auto &changed = edges[draw(0, n - 2)];
        auto before = changed;
        std::vector<int> part{before.first}, side(n + 1);
        side[before.first] = 1;
        for (size_t i = 0; i < part.size(); i++)
            for (auto &edge : edges)
                if (&edge != &changed)
                    for (auto [a, b] : {edge, std::make_pair(edge.second, edge.first)})
                        if (a == part[i] && !side[b]) side[b] = 1, part.push_back(b);
        std::vector<int> rest;
        for (int i = 1; i <= n; i++)
            if (!side[i]) rest.push_back(i);
        changed = {part[draw(0, (long long)part.size() - 1)], rest[draw(0, (long long)rest.size() - 1)]};
        std::printf("%d %d %d %d\n", before.first, before.second, changed.first, changed.second);
    }
}
