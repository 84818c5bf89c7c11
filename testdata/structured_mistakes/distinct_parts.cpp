// Counts the different parts of length k. Wrong: parts with the same hash are taken for equal.
#include <iostream>
#include <set>
#include <string>

int main() {
    int n, k;
    std::string text;
    std::cin >> n >> k >> text;
#ifdef WRONG
    const long long BASE = 31, MODULUS = 998244353;
    std::set<long long> parts;
    for (int at = 0; at + k <= n; at++) {
        long long hash = 0;
        for (int i = k - 1; i >= 0; i--) hash = (hash * BASE + text[at + i]) % MODULUS;
        parts.insert(hash);
    }
#else
    std::set<std::string> parts;
    for (int at = 0; at + k <= n; at++) parts.insert(text.substr(at, k));
#endif
    std::cout << parts.size() << '\n';
}
