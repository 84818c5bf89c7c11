// Counts in an unordered_map.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int &x : a) scanf("%d", &x);
    int most = 0;
#ifdef SLOW
    unordered_map<int, int> count;
    for (int x : a) most = max(most, ++count[x]);
#else
    sort(a.begin(), a.end());
    for (int i = 0, j = 0; i < n; i++) {
        while (a[j] != a[i]) j++;
        most = max(most, i - j + 1);
    }
#endif
    printf("%d\n", most);
}
