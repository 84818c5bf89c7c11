// A random tree in which no vertex has more than three neighbours, with random numbers of its vertices.
#include "draw.h"

int main(int count, char *arguments[]) {
    seed(count, arguments);
    int n = int(draw_size(1, 1000)), near = int(draw_size(1, 1000));
    std::vector<std::vector<int>> next(n + 1);
    std::vector<int> name(n + 1);
    std::iota(name.begin(), name.end(), 0);
    if (draw(0, 3)) std::shuffle(name.begin() + 1, name.end(), source);
    for (int i = 2; i <= n; i++) {
        int parent;
        do parent = int(draw(std::max(1, i - near), i - 1));
        while (next[name[parent]].size() == 3 && draw(0, 20));
        while (next[name[parent]].size() == 3) parent = parent % (i - 1) + 1;
        next[name[i]].push_back(name[parent]), next[name[parent]].push_back(name[i]);
    }
    std::printf("%d\n", n);
    for (int i = 1; i <= n; i++, std::puts("")) {
        std::shuffle(next[i].begin(), next[i].end(), source);
        std::printf("%d", int(next[i].size()));
        for (int neighbour : next[i]) std::printf(" %d", neighbour);
    }
}
