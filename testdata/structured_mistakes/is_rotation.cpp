// Is t a rotation of s? Wrong: compares the letters that are used, and their first occurrences only.
#include <algorithm>
#include <iostream>
#include <string>
int main() {
    std::string s, t;
    std::cin >> s >> t;
    bool yes = s.size() == t.size() && (s + s).find(t) != std::string::npos;
#ifdef WRONG
    std::string a = s, b = t;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    yes = a == b;
#endif
    puts(yes ? "Yes" : "No");
}
