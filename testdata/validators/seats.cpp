// A permutation by marks, and counts of values.
#include "testlib.h"
using namespace std;

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    int n = inf.readInt(1, 50, "n");
    inf.readSpace();
    int k = inf.readInt(1, n, "k");
    inf.readEoln();
    vector<int> seen(n + 1, 0);
    for (int i = 1; i <= n; i++) {
        int seat = inf.readInt(1, n, "seat");
        ensuref(!seen[seat], "taken");
        seen[seat] = 1;
        if (i < n) inf.readSpace();
    }
    inf.readEoln();
    vector<int> votes = inf.readInts(n, 1, k, "vote");
    inf.readEoln();
    int first = 0;
    for (int v : votes)
        if (v == 1) first++;
    ensuref(first >= 2 || n == 1, "too few");
    ensuref(*max_element(votes.begin(), votes.end()) == k, "nobody votes for k");
    inf.readEof();
}
