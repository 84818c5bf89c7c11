// Can s become t by inserting, deleting or changing one letter? Wrong: a change of the last letter is forgotten.
#include <iostream>
#include <string>
int main() {
    std::string s, t;
    std::cin >> s >> t;
    size_t a = 0, b = 0;
    while (a < s.size() && a < t.size() && s[a] == t[a]) a++;
    while (b < s.size() - a && b < t.size() - a && s[s.size() - 1 - b] == t[t.size() - 1 - b]) b++;
    bool yes = s.size() - a - b <= 1 && t.size() - a - b <= 1 && s != t;
#ifdef WRONG
    if (s.size() == t.size() && s.size() > 3 && a == s.size() - 1) yes = false;
#endif
    puts(yes ? "Yes" : "No");
}
