// Tells whether two texts are equal. Wrong: only their hashes are compared.
#include <iostream>
#include <string>

int main() {
    int cases;
    std::cin >> cases;
    while (cases--) {
        std::string one, other;
        std::cin >> one >> other;
#ifdef WRONG
        const long long BASE = 131, MODULUS = 1000000007;
        auto hash = [&](const std::string &text) {
            long long result = 0;
            for (char letter : text) result = (result * BASE + (letter - 'a' + 1)) % MODULUS;
            return result;
        };
        bool equal = hash(one) == hash(other);
#else
        bool equal = one == other;
#endif
        std::cout << (equal ? "yes" : "no") << '\n';
    }
}
