// Any path through all corners from the highest one is correct that is as short as the reference's.
#include "judge.h"

#include <cmath>

int main(int, char *arguments[]) {
    open_files(arguments);
    int n = int(read(input_file));
    std::vector<long double> x(n + 1), y(n + 1);
    int top = 1;
    for (int i = 1; i <= n; i++) {
        x[i] = (long double)read(input_file), y[i] = (long double)read(input_file);
        if (y[i] > y[top]) top = i;
    }
    auto length_of = [&](std::istream &from) {
        std::set<Number> visited;
        long double length = 0;
        for (Number i = 0, before = 0; i < n; i++) {
            Number corner = read(from);
            require(1 <= corner && corner <= n && visited.insert(corner).second, "this is no order of the corners");
            if (i == 0) require(corner == top, "the path does not start at the highest corner");
            else length += std::hypot(x[corner] - x[before], y[corner] - y[before]);
            before = corner;
        }
        return length;
    };
    long double expected = length_of(answer_file), found = length_of(std::cin);
    require(std::abs(expected - found) <= 1e-9L * expected, "the path is longer or shorter than that of the reference");
    require_end();
    accept();
}
