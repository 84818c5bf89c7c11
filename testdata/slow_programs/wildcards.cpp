// Matches a pattern with ? and * by trying all lengths for each *.
#include <bits/stdc++.h>
using namespace std;

string p, s;

bool matches(size_t i, size_t j) {
    if (i == p.size()) return j == s.size();
    if (p[i] == '*') {
        for (size_t k = j; k <= s.size(); k++)
            if (matches(i + 1, k)) return true;
        return false;
    }
    return j < s.size() && (p[i] == '?' || p[i] == s[j]) && matches(i + 1, j + 1);
}

int main() {
    cin >> p >> s;
#ifdef SLOW
    puts(matches(0, 0) ? "yes" : "no");
#else
    vector<char> reach(s.size() + 1);
    reach[0] = 1;
    for (char c : p) {
        vector<char> next(s.size() + 1);
        for (size_t j = 0; j <= s.size(); j++)
            if (c == '*') next[j] = reach[j] || (j > 0 && next[j - 1]);
            else next[j] = j > 0 && reach[j - 1] && (c == '?' || c == s[j - 1]);
        reach = next;
    }
    puts(reach[s.size()] ? "yes" : "no");
#endif
}
