// The sum of the Z-function, without its window.
#include <bits/stdc++.h>
using namespace std;

int main() {
    string s;
    cin >> s;
    int n = s.size();
    long long sum = 0;
    vector<int> z(n);
    for (int i = 1, from = 0, to = 0; i < n; i++) {
#ifndef SLOW
        if (i < to) z[i] = min(to - i, z[i - from]);
#endif
        while (i + z[i] < n && s[z[i]] == s[i + z[i]]) z[i]++;
        if (i + z[i] > to) from = i, to = i + z[i];
        sum += z[i];
    }
    printf("%lld\n", sum);
}
