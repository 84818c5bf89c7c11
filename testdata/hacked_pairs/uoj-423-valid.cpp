// Each block lies below the centre of gravity of those before it, which are above it.
#include "judge.h"

int main() {
    Number n = read(std::cin), mass = 0, moment = 0;
    for (Number i = 1; i <= n; i++) {
        Number left = read(std::cin), right = read(std::cin);
        require(i == 1 || (2 * mass * left <= moment && moment <= 2 * mass * right), "the stack falls");
        mass += right - left, moment += (right - left) * (right + left);
    }
    accept();
}
