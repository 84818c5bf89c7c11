// Trial division by all numbers.
#include <bits/stdc++.h>
using namespace std;

int main() {
    vector<char> is_composite(1000001);
    vector<int> primes;
    for (int d = 2; d <= 1000000; d++) {
#ifdef SLOW
        primes.push_back(d);
#else
        if (is_composite[d]) continue;
        primes.push_back(d);
        for (long long k = (long long)d * d; k <= 1000000; k += d) is_composite[k] = 1;
#endif
    }
    int cases;
    scanf("%d", &cases);
    while (cases--) {
        long long x, count = 0;
        scanf("%lld", &x);
        for (int d : primes) {
            if ((long long)d * d > x) break;
            while (x % d == 0) x /= d, count++;
        }
        printf("%lld\n", count + (x > 1));
    }
}
