// The tree is drawn without crossings: edges only meet at common ends.
#include "judge.h"

using Point = std::pair<Number, Number>;

Number side(Point a, Point b, Point c) {
    Number area = (b.first - a.first) * (c.second - a.second) - (b.second - a.second) * (c.first - a.first);
    return (area > 0) - (area < 0);
}

bool is_on(Point a, Point b, Point c) {
    return side(a, b, c) == 0 && std::min(a, b) <= c && c <= std::max(a, b);
}

bool meet(Point a, Point b, Point c, Point d) {
    if (is_on(a, b, c) || is_on(a, b, d) || is_on(c, d, a) || is_on(c, d, b)) return true;
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

int main() {
    Number n = read(std::cin);
    read(std::cin), read(std::cin);
    std::vector<Point> points(n + 1);
    std::vector<std::pair<Number, Number>> edges(n - 1);
    for (Number i = 1; i <= n; i++) points[i].first = read(std::cin), points[i].second = read(std::cin);
    for (auto &[u, v] : edges) u = read(std::cin), v = read(std::cin);
    for (Number i = 0; i < n - 1; i++)
        for (Number j = 0; j < i; j++) {
            auto [a, b] = edges[i];
            auto [c, d] = edges[j];
            if (a == d || b == c) std::swap(c, d);
            if (b == d) std::swap(a, b), std::swap(c, d);
            bool wrong = a == c ? is_on(points[a], points[b], points[d]) || is_on(points[a], points[d], points[b])
                                : meet(points[a], points[b], points[c], points[d]);
            require(!wrong, "two edges cross or overlap");
        }
    accept();
}
