// Finds t in s. Wrong: after a mismatch, matching begins anew at the next letter of s, as if nothing had matched.
#include <iostream>
#include <string>
int main() {
    std::string s, t;
    std::cin >> s >> t;
    long found = (long)s.find(t);
#ifdef WRONG
    found = -1;
    size_t j = 0;
    for (size_t i = 0; i < s.size(); i++) {
        j = s[i] == t[j] ? j + 1 : (s[i] == t[0] ? 1 : 0);
        if (j == t.size()) { found = (long)(i + 1 - j); break; }
    }
#endif
    std::cout << found << "\n";
}
