// The corners of a strictly convex polygon, in one of the two directions, of which one is the highest.
#include "judge.h"

int main() {
    int n = int(read(std::cin));
    std::vector<Number> x(n), y(n);
    for (int i = 0; i < n; i++) x[i] = read(std::cin), y[i] = read(std::cin);
    Number sign = 0, turns = 0;
    for (int i = 0; i < n; i++) {
        int j = (i + 1) % n, k = (i + 2) % n;
        Number cross = (x[j] - x[i]) * (y[k] - y[j]) - (y[j] - y[i]) * (x[k] - x[j]);
        require(cross != 0, "three corners are on a line");
        if (!sign) sign = cross > 0 ? 1 : -1;
        require((cross > 0) == (sign > 0), "the polygon is not convex");
        // A polygon that goes round once changes between up and down twice.
        bool up = y[j] > y[i] || (y[j] == y[i] && x[j] > x[i]), next_up = y[k] > y[j] || (y[k] == y[j] && x[k] > x[j]);
        turns += up != next_up;
    }
    require(turns == 2, "the polygon goes round more than once");
    require(std::count(y.begin(), y.end(), *std::max_element(y.begin(), y.end())) == 1, "two corners are the highest");
    accept();
}
