// Traps: pairs that are sorted, marks from two places, edges of one direction.
#include "testlib.h"
#include <algorithm>
using namespace std;

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    int n = inf.readInt(2, 100, "n");
    inf.readEoln();
    vector<pair<int, int>> spans;
    vector<bool> used(n + 1);
    vector<vector<int>> next(n + 1);
    for (int i = 0; i < n; i++) {
        int l = inf.readInt(1, n, "l");
        inf.readSpace();
        int r = inf.readInt(1, n, "r");
        inf.readEoln();
        spans.push_back({l, r});
        used[l] = true;
        used[r] = true;
        next[l].push_back(r);
    }
    for (int i = 1; i <= n; i++) ensuref(used[i], "unused");
    sort(spans.begin(), spans.end());
    for (int i = 1; i < n; i++) ensuref(spans[i - 1].second < spans[i].first, "they overlap");
    vector<int> reached(n + 1);
    vector<int> stack = {1};
    reached[1] = 1;
    while (!stack.empty()) {
        int at = stack.back();
        stack.pop_back();
        for (int to : next[at])
            if (!reached[to]) {
                reached[to] = 1;
                stack.push_back(to);
            }
    }
    for (int i = 1; i <= n; i++) ensuref(reached[i], "unreachable");
    inf.readEof();
}
