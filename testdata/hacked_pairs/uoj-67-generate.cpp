// A random tree, and one more vertex with some neighbours.
#include "draw.h"

int main(int count, char *arguments[]) {
    seed(count, arguments);
    int n = int(draw_size(3, 500));
    std::vector<int> name(n);
    std::iota(name.begin(), name.end(), 1);
    std::shuffle(name.begin(), name.end(), source);
    std::vector<std::pair<int, int>> edges;
    bool deep = draw(0, 1);
    for (int i = 1; i < n - 1; i++) edges.push_back({name[i], name[draw(deep ? std::max(0, i - 3) : 0, i - 1)]});
    std::set<int> neighbours;
    for (int more = int(draw(1, std::min(n - 1, 6))); more--;) neighbours.insert(name[draw(0, n - 2)]);
    for (int neighbour : neighbours) edges.push_back({name[n - 1], neighbour});
    std::shuffle(edges.begin(), edges.end(), source);
    std::printf("%d %d\n", n, int(edges.size()));
    for (auto [u, v] : edges) std::printf("%d %d\n", u, v);
}
