// Random search trees, deep ones among them.
#include "draw.h"
#include "search_tree.h"

std::vector<int> parents;

void build(int low, int high, int parent, bool deep) {
    if (low > high) return;
    int root = deep ? (draw(0, 1) ? low : high) : int(draw(low, high));
    parents[root] = parent;
    build(low, root - 1, root, deep), build(root + 1, high, root, deep);
}

int main(int count, char *arguments[]) {
    seed(count, arguments);
    int n = int(draw_size(1, 500)), m = int(draw_size(1, 500));
    parents.assign(n + 1, 0);
    build(1, n, 0, draw(0, 1));
    std::printf("%d\n", n);
    for (int i = 1; i <= n; i++) std::printf("%d%c", parents[i], i < n ? ' ' : '\n');
    std::printf("%d\n", m);
    SearchTree tree;
    tree.build(parents);
    while (m--) {
        int type = int(draw(1, 3)), x = int(draw(1, n)), depth = tree.depth(x);
        if (type == 3) std::printf("3 %d\n", x);
        else if (type == 2 || depth == 0) std::printf("2 %d %lld\n", x, draw(0, depth));
        else {
            int y = tree.parent[x];
            for (int steps = int(draw(0, depth - 1)); steps; steps--) y = tree.parent[y];
            tree.rotate_below(x, y);
            std::printf("1 %d %d\n", x, y);
        }
    }
}
