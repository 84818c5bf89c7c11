// All lines differ, and the last one crosses all others in different points.
#include "judge.h"
#include <numeric>
#include <tuple>

using Line = std::tuple<Number, Number, Number>;

Line read_line() {
    Number x1 = read(std::cin), y1 = read(std::cin), x2 = read(std::cin), y2 = read(std::cin);
    Number a = y2 - y1, b = x1 - x2, common = std::gcd(a, b);
    if (a < 0 || (a == 0 && b < 0)) common = -common;
    a /= common, b /= common;
    return {a, b, a * x1 + b * y1};
}

int main() {
    Number n = read(std::cin);
    std::vector<Line> lines(n);
    for (Line &line : lines) line = read_line();
    auto [a, b, c] = read_line();
    require(std::set<Line>(lines.begin(), lines.end()).size() == lines.size(), "two lines are equal");
    std::set<std::pair<Number, Number>> crossings;
    for (auto [d, e, f] : lines) {
        Number below = a * e - b * d;
        require(below != 0, "a line is parallel to the last one");
        // The place on the last line, as a fraction: x, or y if the last line is vertical.
        Number above = b ? c * e - b * f : a * f - c * d, common = std::gcd(above, below);
        if (below < 0) common = -common;
        require(crossings.insert({above / common, below / common}).second, "three lines cross in one point");
    }
    accept();
}
