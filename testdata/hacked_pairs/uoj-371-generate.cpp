// Points are joined to the tree as they come, by an edge that crosses none before.
#include "draw.h"

using Point = std::pair<long long, long long>;

long long side(Point a, Point b, Point c) {
    long long area = (b.first - a.first) * (c.second - a.second) - (b.second - a.second) * (c.first - a.first);
    return (area > 0) - (area < 0);
}

bool is_on(Point a, Point b, Point c) {
    return side(a, b, c) == 0 && std::min(a, b) <= c && c <= std::max(a, b);
}

int main(int count, char *arguments[]) {
    seed(count, arguments);
    int n = int(draw_size(2, 60));
    long long size = draw_size(10, 1000000);
    std::vector<Point> points{{draw(0, size), draw(0, size)}};
    std::vector<std::pair<int, int>> edges;
    auto fits = [&](Point next, int parent) {
        for (int i = 0; i < int(points.size()); i++)
            if (points[i] == next || (i != parent && is_on(points[parent], next, points[i]))) return false;
        for (auto [u, v] : edges) {
            if (is_on(points[u], points[v], next)) return false;
            if (u == parent || v == parent) continue;
            if (side(points[u], points[v], next) * side(points[u], points[v], points[parent]) < 0 &&
                side(points[parent], next, points[u]) * side(points[parent], next, points[v]) < 0)
                return false;
        }
        return true;
    };
    for (int tries = 0; int(points.size()) < n && tries < 2000; tries++) {
        int parent = int(draw(0, (long long)points.size() - 1));
        Point next = {draw(0, size), draw(0, size)};
        if (!fits(next, parent)) continue;
        edges.push_back({parent, int(points.size())});
        points.push_back(next);
    }
    n = int(points.size());
    if (n == 1) points.push_back({(points[0].first + 1) % size, points[0].second}), edges.push_back({0, 1}), n = 2;
    long long s = draw(1, n), t = draw(1, n - 1);
    std::printf("%d %lld %lld\n", n, s, t + (t >= s));
    for (auto [x, y] : points) std::printf("%lld %lld\n", x, y);
    for (auto [u, v] : edges) std::printf("%d %d\n", u + 1, v + 1);
}
