// Clears an array of the largest size for each test case.
#include <bits/stdc++.h>
using namespace std;

static long long count_of[1000001];

int main() {
    int cases;
    scanf("%d", &cases);
    while (cases--) {
        int n;
        long long most = 0;
        scanf("%d", &n);
        vector<int> a(n);
        for (int &x : a) scanf("%d", &x), most = max(most, ++count_of[x]);
        printf("%lld\n", most);
#ifdef SLOW
        memset(count_of, 0, sizeof count_of);
#else
        for (int x : a) count_of[x] = 0;
#endif
    }
}
