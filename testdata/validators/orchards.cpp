// Arrays, a running sum over cases, an order between neighbours.
#include "testlib.h"
using namespace std;

const int MAX_TREES = 200000;

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    int cases = inf.readInt(1, 1000, "T");
    inf.readEoln();
    long long total = 0;
    for (int id = 1; id <= cases; ++id) {
        setTestCase(id);
        int n = inf.readInt(2, MAX_TREES, "n");
        inf.readSpace();
        long long k = inf.readLong(0LL, (long long)1e12, "k");
        inf.readEoln();
        total += n;
        ensuref(total <= MAX_TREES, "too many trees");
        vector<int> height(n);
        for (int i = 0; i < n; i++) {
            if (i > 0) inf.readSpace();
            height[i] = inf.readInt(-1'000'000, 1'000'000, "h_i");
            if (i > 0) ensuref(height[i - 1] < height[i], "heights grow");
        }
        inf.readEoln();
        ensuref(k <= 1LL * n * n, "k is too large");
    }
    inf.readEof();
}
