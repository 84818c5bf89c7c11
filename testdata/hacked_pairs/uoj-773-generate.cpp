// A ring of 1 and four other places, and random edges.
#include "draw.h"

int main(int count, char *arguments[]) {
    seed(count, arguments);
    int n = int(draw_size(5, 200)), k = int(draw(0, 1) ? draw(0, 3) : draw(0, 100)), extra = int(draw_size(0, 3 * n));
    std::vector<int> name(n);
    std::iota(name.begin(), name.end(), 1);
    std::shuffle(name.begin() + 1, name.end(), source);
    std::set<std::pair<int, int>> edges;
    auto add = [&](int u, int v) {
        if (u != v) edges.insert({std::min(u, v), std::max(u, v)});
    };
    for (int i = 0; i < 5; i++) add(name[i], name[(i + 1) % 5]);
    while (extra--) add(int(draw(1, n)), int(draw(1, n)));
    std::printf("%d %d %d\n", n, int(edges.size()), k);
    long long largest = draw_size(1, 1000000000000000000);
    for (int i = 2; i <= n; i++) std::printf("%lld%c", draw(1, largest), i < n ? ' ' : '\n');
    for (auto [u, v] : edges) std::printf("%d %d\n", u, v);
}
