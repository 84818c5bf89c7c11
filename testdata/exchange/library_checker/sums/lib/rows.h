// Prints a row of numbers.
#include <cstdio>
#include <vector>

inline void print(const std::vector<long long> &row) {
    std::printf("%zu\n", row.size());
    for (size_t i = 0; i < row.size(); i++) std::printf("%s%lld", i ? " " : "", row[i]);
    std::printf("\n");
}
