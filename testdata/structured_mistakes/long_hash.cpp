// Tells how many different texts there are. Wrong: only their hashes are compared.
#include <iostream>
#include <set>
#include <string>

int main() {
    int n;
    std::cin >> n;
#ifdef WRONG
    const unsigned long long BASE = 91138233, MODULUS = (1ULL << 61) - 1;
    std::set<unsigned long long> different;
#else
    std::set<std::string> different;
#endif
    while (n--) {
        std::string text;
        std::cin >> text;
#ifdef WRONG
        unsigned long long hash = 0;
        for (char letter : text) hash = ((unsigned __int128)hash * BASE + letter) % MODULUS;
        different.insert(hash);
#else
        different.insert(text);
#endif
    }
    std::cout << different.size() << '\n';
}
