// Joins and unites parts at random.
#include "draw.h"

std::vector<std::vector<char>> is_edge;

void build(const std::vector<int> &vertices, bool join) {
    if (vertices.size() < 2) return;
    auto middle = vertices.begin() + draw(1, (long long)vertices.size() - 1);
    std::vector<int> left(vertices.begin(), middle), right(middle, vertices.end());
    for (int a : left)
        for (int b : right) is_edge[a][b] = is_edge[b][a] = join;
    build(left, draw(0, 1)), build(right, draw(0, 1));
}

int main(int count, char *arguments[]) {
    seed(count, arguments);
    int n = int(draw_size(2, 200));
    is_edge.assign(n, std::vector<char>(n));
    std::vector<int> vertices(n);
    std::iota(vertices.begin(), vertices.end(), 0);
    std::shuffle(vertices.begin(), vertices.end(), source);
    build(vertices, draw(0, 1));
    std::printf("%d\n", n);
    for (int i = 0; i + 1 < n; i++, std::puts(""))
        for (int j = i + 1; j < n; j += 4) {
            int digit = 0;
            for (int bit = 0; bit < 4; bit++) digit |= (j + bit < n && is_edge[i][j + bit]) << bit;
            std::putchar("0123456789ABCDEF"[digit]);
        }
}
