// A simple graph by a set of pairs, connected by a search through neighbours.
#include "testlib.h"
#include <queue>
#include <set>
using namespace std;

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    int n = inf.readInt(2, 500, "n");
    inf.readSpace();
    int m = inf.readInt(n - 1, n * (n - 1) / 2, "m");
    inf.readEoln();
    vector<vector<int>> to(n + 1);
    set<pair<int, int>> known;
    for (int i = 0; i < m; i++) {
        int a = inf.readInt(1, n, "a_i");
        inf.readSpace();
        int b = inf.readInt(1, n, "b_i");
        inf.readEoln();
        ensuref(a != b, "a loop");
        pair<int, int> edge = minmax(a, b);
        ensuref(!known.count(edge), "twice");
        known.insert(edge);
        to[a].push_back(b);
        to[b].push_back(a);
    }
    vector<bool> seen(n + 1);
    queue<int> next;
    next.push(1);
    seen[1] = true;
    while (!next.empty()) {
        int at = next.front();
        next.pop();
        for (int other : to[at]) {
            if (!seen[other]) {
                seen[other] = true;
                next.push(other);
            }
        }
    }
    for (int i = 1; i <= n; i++) ensuref(seen[i], "harbour %d is cut off", i);
    inf.readEof();
}
