// Compares the second text at each place of the first.
#include <bits/stdc++.h>
using namespace std;

int main() {
    string s, t;
    cin >> s >> t;
    int found = 0;
#ifdef SLOW
    for (size_t i = 0; i + t.size() <= s.size(); i++) {
        size_t j = 0;
        while (j < t.size() && s[i + j] == t[j]) j++;
        found += j == t.size();
    }
#else
    string all = t + "#" + s;
    vector<size_t> border(all.size());
    for (size_t i = 1; i < all.size(); i++) {
        size_t k = border[i - 1];
        while (k && all[k] != all[i]) k = border[k - 1];
        border[i] = k + (all[k] == all[i]);
        found += border[i] == t.size();
    }
#endif
    printf("%d\n", found);
}
