// Counts palindromes by extending each center.
#include <bits/stdc++.h>
using namespace std;

int main() {
    string s;
    cin >> s;
    int n = s.size();
    long long count = 0;
#ifdef SLOW
    for (int center = 0; center < 2 * n - 1; center++) {
        int from = center / 2, to = (center + 1) / 2;
        while (from >= 0 && to < n && s[from] == s[to]) count++, from--, to++;
    }
#else
    for (int even = 0; even < 2; even++) {
        vector<int> radius(n);
        for (int i = 0, from = 0, to = -1; i < n; i++) {
            int k = i > to ? 1 - even : min(radius[from + to - i + even], to - i + 1);
            while (i + k < n && i - k - even >= 0 && s[i + k] == s[i - k - even]) k++;
            radius[i] = k;
            count += k;
            if (i + k - 1 > to) from = i - k + 1 - even, to = i + k - 1;
        }
    }
#endif
    printf("%lld\n", count);
}
