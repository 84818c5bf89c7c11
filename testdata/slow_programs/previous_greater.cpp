// The last greater number before each number, by a walk to the left.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n), last(n);
    for (int &x : a) scanf("%d", &x);
    long long sum = 0;
    for (int i = 0; i < n; i++) {
        int j = i - 1;
#ifdef SLOW
        while (j >= 0 && a[j] <= a[i]) j--;
#else
        while (j >= 0 && a[j] <= a[i]) j = last[j];
#endif
        last[i] = j;
        sum += j + 1;
    }
    printf("%lld\n", sum);
}
