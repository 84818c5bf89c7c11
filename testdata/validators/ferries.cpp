// Pairs that are put in order by a swap, a branch that is not compiled, the end after blanks.
#include "testlib.h"
#include <set>
using namespace std;

#define LIMIT 1000
#ifdef SMALL
const int MOST = 10;
#else
const int MOST = LIMIT;
#endif

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    int n = inf.readInt(2, MOST, "n");
    inf.readSpace();
    int m = inf.readInt(1, MOST, "m");
    inf.readEoln();
    set<pair<int, int>> seen;
    for (int i = 0; i < m; i++) {
        int a = inf.readInt(1, n, "a");
        inf.readSpace();
        int b = inf.readInt(1, n, "b");
        inf.readEoln();
        ensuref(a != b, "a ferry between two islands");
        if (a > b) swap(a, b);
#if 0
        ensuref(a < 5, "not compiled");
#endif
        ensuref(seen.insert({a, b}).second, "twice");
    }
    inf.readEof();
}
