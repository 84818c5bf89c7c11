// Counts the places where t occurs in s, by compare, from each place at which its first letter occurs.
#include <bits/stdc++.h>
using namespace std;

int main() {
    string s, t;
    cin >> s >> t;
    int n = s.size(), m = t.size(), count = 0;
#ifdef SLOW
    for (int i = 0; i + m <= n; i++) count += s.compare(i, m, t) == 0;
#else
    vector<int> border(m + 1);
    for (int i = 1, k = 0; i < m; i++) {
        while (k && t[i] != t[k]) k = border[k];
        border[i + 1] = k += t[i] == t[k];
    }
    for (int i = 0, k = 0; i < n; i++) {
        while (k && (k == m || s[i] != t[k])) k = border[k];
        k += s[i] == t[k];
        count += k == m;
    }
#endif
    printf("%d\n", count);
}
