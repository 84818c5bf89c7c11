#include <iostream>

int main() {
    long long count, number, sum = 0;
    std::cin >> count;
    while (std::cin >> number) sum += number;
    std::cout << sum << "\n";
}
