// How deep is a sequence nested? By removing its first pair, again and again.
#include <bits/stdc++.h>
using namespace std;

int main() {
    string s;
    cin >> s;
    long long sum = 0;
#ifdef SLOW
    for (size_t at; (at = s.find("()")) != string::npos; s.erase(at, 2)) sum += at;
#else
    long long depth = 0;
    for (char c : s) {
        depth += c == '(' ? 1 : -1;
        if (c == ')') sum += depth;
    }
#endif
    printf("%lld\n", sum);
}
