// The convex hull of random points in a square, on a circle or near a line.
#include "draw.h"

#include <cmath>

using Point = std::pair<long long, long long>;

long long cross(Point a, Point b, Point c) {
    return (b.first - a.first) * (c.second - b.second) - (b.second - a.second) * (c.first - b.first);
}

std::vector<Point> hull_of(std::vector<Point> points) {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    std::vector<Point> hull;
    for (int side = 0; side < 2; side++) {
        size_t start = hull.size();
        for (Point point : points) {
            while (hull.size() >= start + 2 && cross(hull[hull.size() - 2], hull.back(), point) <= 0) hull.pop_back();
            hull.push_back(point);
        }
        hull.pop_back();
        std::reverse(points.begin(), points.end());
    }
    return hull;
}

std::vector<Point> draw_hull() {
    long long size = draw_size(2, 1000000), kind = draw(0, 2), flat = draw_size(1, 100);
    std::vector<Point> points;
    for (long long count = draw_size(3, 300); count--;) {
        double angle = double(draw(0, 1000000));
        if (kind == 1) points.push_back({std::llround(size * std::cos(angle)), std::llround(size * std::sin(angle))});
        else points.push_back({draw(-size, size), draw(-size, size)});
        if (kind == 2) points.back().second /= flat;
    }
    return hull_of(points);
}

int main(int count, char *arguments[]) {
    seed(count, arguments);
    std::vector<Point> hull;
    auto highest = [&] {
        long long top = -10000000, times = 0;
        for (auto [x, y] : hull) top = std::max(top, y);
        for (auto [x, y] : hull) times += y == top;
        return times;
    };
    do hull = draw_hull();
    while (hull.size() < 3 || hull.size() > 1000 || highest() != 1);
    if (draw(0, 1)) std::reverse(hull.begin(), hull.end());
    std::rotate(hull.begin(), hull.begin() + draw(0, (long long)hull.size() - 1), hull.end());
    std::printf("%d\n", int(hull.size()));
    for (auto [x, y] : hull) std::printf("%lld %lld\n", x, y);
}
