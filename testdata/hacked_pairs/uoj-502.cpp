// Any k points with coordinates up to 10^9 that meet all rectangles are correct. Inputs without such points are not
// valid, and whether there are some is what the reference computes: if its points fail, everything is accepted.
#include "judge.h"

using Point = std::pair<Number, Number>;

bool meets_all(const std::vector<Point> &points, const std::vector<std::pair<Point, Point>> &rectangles) {
    for (auto [x, y] : points)
        if (x < 1 || y < 1 || x > 1000000000 || y > 1000000000) return false;
    for (auto &[low, high] : rectangles)
        if (std::none_of(points.begin(), points.end(), [&](Point p) {
                return low.first <= p.first && p.first <= high.first && low.second <= p.second && p.second <= high.second;
            }))
            return false;
    return true;
}

std::vector<Point> read_points(std::istream &from, Number count) {
    std::vector<Point> points(count);
    for (auto &[x, y] : points)
        if (!(from >> x >> y)) return {};
    return points;
}

int main(int, char *arguments[]) {
    open_files(arguments);
    Number n = read(input_file), k = read(input_file);
    std::vector<std::pair<Point, Point>> rectangles(n);
    for (auto &[low, high] : rectangles) {
        low.first = read(input_file), low.second = read(input_file);
        high.first = read(input_file), high.second = read(input_file);
    }
    if (!meets_all(read_points(answer_file, k), rectangles)) accept();
    require(meets_all(read_points(std::cin, k), rectangles), "the points do not meet all rectangles");
    require_end();
    accept();
}
