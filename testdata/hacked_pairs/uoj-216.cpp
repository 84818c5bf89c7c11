// Any sequence of at most 400 differences that ends in c is correct; whether there is one, the reference decides.
#include "judge.h"

int main(int, char *arguments[]) {
    open_files(arguments);
    Number a = read(input_file), b = read(input_file), c = read(input_file);
    Number expected = read(answer_file), steps = read(std::cin);
    require((expected == -1) == (steps == -1), "only one of reference and submission finds a sequence");
    require(steps <= 400, "there are " + std::to_string(steps) + " steps");
    std::set<Number> known{a, b};
    for (int i = 0; i < steps; i++) {
        Number x = read(std::cin), y = read(std::cin);
        require(known.count(x) && known.count(y), "step " + std::to_string(i + 1) + " uses a number that is not there");
        known.insert(std::abs(x - y));
    }
    require(steps == -1 || known.count(c), "the number is not reached");
    require_end();
    accept();
}
