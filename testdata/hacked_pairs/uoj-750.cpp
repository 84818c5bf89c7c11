// Any coefficients that are not all 0 are correct.
#include "judge.h"

int main(int, char *arguments[]) {
    open_files(arguments);
    Number n = read(input_file), modulus = read(input_file), sum = 0;
    bool only_zeros = true;
    for (int i = 0; i < n; i++) {
        Number a = read(input_file), factor = read(std::cin);
        require(-1 <= factor && factor <= 1, "a coefficient is not -1, 0 or 1");
        only_zeros = only_zeros && factor == 0;
        sum = (sum + a * factor) % modulus;
    }
    require(!only_zeros, "all coefficients are 0");
    require(sum == 0, "the sum is not divisible");
    require_end();
    accept();
}
