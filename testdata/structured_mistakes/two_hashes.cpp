// Tells whether two texts are equal. Wrong: only two of their hashes are compared.
#include <iostream>
#include <string>

int main() {
    int cases;
    std::cin >> cases;
    while (cases--) {
        std::string one, other;
        std::cin >> one >> other;
#ifdef WRONG
        const long long BASES[] = {131, 13331}, MODULI[] = {1000000007, 998244353};
        auto hash = [&](const std::string &text, int which) {
            long long result = 0;
            for (char letter : text) result = (result * BASES[which] + letter) % MODULI[which];
            return result;
        };
        bool equal = hash(one, 0) == hash(other, 0) && hash(one, 1) == hash(other, 1);
#else
        bool equal = one == other;
#endif
        std::cout << (equal ? "yes" : "no") << '\n';
    }
}
