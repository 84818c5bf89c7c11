// Euclid's algorithm by subtraction.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int cases;
    scanf("%d", &cases);
    while (cases--) {
        long long a, b;
        scanf("%lld %lld", &a, &b);
#ifdef SLOW
        while (a != b) a > b ? a -= b : b -= a;
#else
        a = __gcd(a, b);
#endif
        printf("%lld\n", a);
    }
}
