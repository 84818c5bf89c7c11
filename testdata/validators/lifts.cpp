// Queries of two kinds, and a text of a computed length.
#include "testlib.h"
using namespace std;

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    int n = inf.readInt(1, 300, "n");
    inf.readSpace();
    int q = inf.readInt(1, 300, "q");
    inf.readEoln();
    string s = inf.readToken(format("[a-c]{%d}", n), "s");
    inf.readEoln();
    for (int i = 0; i < q; i++) {
        int kind = inf.readInt(1, 2, "kind");
        inf.readSpace();
        if (kind == 1) {
            int l = inf.readInt(1, n, "l");
            inf.readSpace();
            inf.readInt(l, n, "r");
        } else {
            inf.readToken("up|down", "where");
        }
        inf.readEoln();
    }
    inf.readEof();
}
