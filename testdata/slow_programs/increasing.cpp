// The longest increasing subsequence, by looking through the ends from the first one.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<int> ends;
    for (int i = 0; i < n; i++) {
        int x;
        scanf("%d", &x);
#ifdef SLOW
        auto at = ends.begin();
        while (at != ends.end() && *at < x) ++at;
#else
        auto at = lower_bound(ends.begin(), ends.end(), x);
#endif
        if (at == ends.end()) ends.push_back(x);
        else *at = x;
    }
    printf("%d\n", (int)ends.size());
}
