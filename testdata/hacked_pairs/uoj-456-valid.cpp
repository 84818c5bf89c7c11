// The parents are a search tree, a vertex rotates up only to an ancestor, and the ancestors that are asked for exist.
#include "judge.h"
#include "search_tree.h"

int main() {
    int n = int(read(std::cin));
    std::vector<int> parents(n + 1);
    for (int i = 1; i <= n; i++) parents[i] = int(read(std::cin));
    SearchTree tree;
    require(tree.build(parents), "it is not a search tree");
    for (Number m = read(std::cin); m--;) {
        Number type = read(std::cin), x = read(std::cin), y = type < 3 ? read(std::cin) : 0;
        if (type == 1) require(x != y && tree.is_above(int(y), int(x)), "it is not above"), tree.rotate_below(int(x), int(y));
        if (type == 2) require(tree.depth(int(x)) >= y, "there is no such ancestor");
    }
    accept();
}
