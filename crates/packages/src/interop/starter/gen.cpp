// Prints n falling numbers: gen N SEED
#include <cstdlib>
#include <iostream>
#include <random>

int main(int, char **argv) {
    int n = std::atoi(argv[1]);
    std::mt19937 random(std::strtoul(argv[2], nullptr, 10));
    int x = 1'000'000'000;
    std::cout << n << "\n";
    for (int i = 0; i < n; i++) {
        x -= random() % 1'000'000;
        std::cout << x << (i + 1 < n ? ' ' : '\n');
    }
}
