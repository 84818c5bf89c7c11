// What is not understood has a remark: a reversed text, blanks before the end.
#include "testlib.h"
#include <algorithm>
using namespace std;

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    string s = inf.readToken("[a-z]{1,100}", "s");
    inf.readEoln();
    string t = s;
    reverse(t.begin(), t.end());
    ensuref(s == t, "a palindrome");
    while (!inf.seekEof()) {
        inf.readInt(1, 9, "x");
        inf.readEoln();
    }
    inf.readEof();
}
