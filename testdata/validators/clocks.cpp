// What a format cannot say stays with the validator.
#include "testlib.h"
using namespace std;

long long ticks(long long n) {
    long long steps = 0;
    while (n > 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

bool isPrime(int n) {
    for (int d = 2; d * d <= n; d++)
        if (n % d == 0) return false;
    return n > 1;
}

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    int p = inf.readInt(2, 1000000, "p");
    inf.readSpace();
    int n = inf.readInt(1, 1 << 16, "n");
    inf.readEoln();
    ensuref(isPrime(p), "p is not prime");
    ensuref((n & (n - 1)) == 0, "n is no power of two");
    ensuref(ticks(p) <= 200, "it runs too long");
    inf.readEof();
}
