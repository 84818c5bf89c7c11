// Names that differ, and points in a vector of pairs.
#include "testlib.h"
#include <set>
using namespace std;

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    int n = inf.readInt(3, 1000, "n");
    inf.readEoln();
    set<string> names;
    vector<pair<int, int>> place;
    for (int i = 0; i < n; ++i) {
        string name = inf.readToken("[A-Z][a-z]{0,9}", "name");
        inf.readSpace();
        int x = inf.readInt(-1000, 1000, "x_i");
        inf.readSpace();
        int y = inf.readInt(-1000, 1000, "y_i");
        inf.readEoln();
        ensuref(names.insert(name).second, "the name is taken");
        place.push_back({x, y});
    }
    set<pair<int, int>> points;
    for (auto [x, y] : place) points.insert({x, y});
    ensuref((int)points.size() == n, "two teams at one place");
    inf.readEof();
}
