// A tree by union-find, with helper functions, and a list of different towns.
#include "testlib.h"
#include <set>
using namespace std;

int parent[100001];

int root(int x) { return parent[x] == x ? x : parent[x] = root(parent[x]); }

bool join(int a, int b) {
    a = root(a);
    b = root(b);
    if (a == b) return false;
    parent[a] = b;
    return true;
}

int main(int argc, char** argv) {
    registerValidation(argc, argv);
    int n = inf.readInt(1, 100000, "towns");
    inf.readSpace();
    int q = inf.readInt(1, n, "q");
    inf.readEoln();
    for (int i = 1; i <= n; i++) parent[i] = i;
    for (int i = 0; i < n - 1; i++) {
        int u = inf.readInt(1, n, "u");
        inf.readSpace();
        int v = inf.readInt(1, n, "v");
        inf.readSpace();
        inf.readInt(1, 1000, "length");
        inf.readEoln();
        ensuref(join(u, v), "a circle");
    }
    for (int i = 2; i <= n; i++) ensuref(root(i) == root(1), "not connected");
    set<int> visited;
    for (int i = 0; i < q; i++) {
        int town = inf.readInt(1, n, "visit");
        ensuref(visited.insert(town).second, "visited twice");
        if (i + 1 < q) inf.readSpace(); else inf.readEoln();
    }
    inf.readEof();
}
