// The level must be correct to p decimals. The reference prints 2p of them.
#include "judge.h"

// Returns the digits of a decimal without the point, with a fixed number of decimals.
std::vector<int> digits_of(const std::string &decimal, size_t decimals) {
    size_t point = std::min(decimal.find('.'), decimal.size());
    std::vector<int> digits(9 - std::min<size_t>(point, 9));
    require(point <= 9, "the number is too large");
    for (size_t i = 0; i < point + 1 + decimals; i++) {
        if (i == point) continue;
        char digit = i < decimal.size() ? decimal[i] : '0';
        require('0' <= digit && digit <= '9', "this is no number");
        digits.push_back(digit - '0');
    }
    return digits;
}

int main(int, char *arguments[]) {
    open_files(arguments);
    read(input_file), read(input_file);
    size_t p = size_t(read(input_file));
    std::vector<int> expected = digits_of(read<std::string>(answer_file), p + 3);
    std::vector<int> found = digits_of(read<std::string>(std::cin), p + 3);
    require_end();
    // Subtracts the smaller number, and requires that the difference is at most 1 in decimal p.
    if (expected < found) std::swap(expected, found);
    for (size_t i = expected.size(); i-- > 0;) {
        expected[i] -= found[i];
        if (expected[i] < 0) expected[i] += 10, expected[i - 1]--;
    }
    for (size_t i = 0; i + 4 < expected.size(); i++) require(expected[i] == 0, "the level is wrong");
    require(expected[expected.size() - 4] <= 1, "the level is wrong in the last decimal");
    accept();
}
