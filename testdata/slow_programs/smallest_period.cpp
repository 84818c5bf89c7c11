// The smallest period of a text: each one is tried until the first difference.
#include <bits/stdc++.h>
using namespace std;

int main() {
    string s;
    cin >> s;
    int n = s.size();
#ifdef SLOW
    int period = 1;
    for (;; period++) {
        int i = 0;
        while (i + period < n && s[i] == s[i + period]) i++;
        if (i + period >= n) break;
    }
#else
    vector<int> border(n + 1);
    for (int i = 1, k = 0; i < n; i++) {
        while (k && s[i] != s[k]) k = border[k];
        border[i + 1] = k += s[i] == s[k];
    }
    int period = n - border[n];
#endif
    printf("%d\n", period);
}
