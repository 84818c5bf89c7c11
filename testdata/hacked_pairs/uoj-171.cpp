// Any arrangement is correct that has as many baskets with at most one ball as the reference found.
#include "judge.h"

int main(int, char *arguments[]) {
    open_files(arguments);
    for (Number t = read(input_file); t--;) {
        Number n = read(input_file), m = read(input_file), e = read(input_file);
        std::set<std::pair<Number, Number>> allowed;
        while (e--) {
            Number ball = read(input_file);
            allowed.insert({ball, read(input_file)});
        }
        Number expected = read(answer_file), found = read(std::cin);
        require(found == expected, "the number of baskets differs");
        std::vector<Number> inside(m + 1);
        for (Number ball = 1; ball <= n; ball++) {
            read(answer_file);
            Number basket = read(std::cin);
            require(allowed.count({ball, basket}), "a ball is in a basket that is not allowed");
            require(++inside[basket] <= 3, "a basket has more than three balls");
        }
        Number few = std::count_if(inside.begin() + 1, inside.end(), [](Number balls) { return balls <= 1; });
        require(few == found, "the arrangement has another number of baskets with at most one ball");
    }
    require_end();
    accept();
}
