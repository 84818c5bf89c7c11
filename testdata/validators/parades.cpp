// Lines without a pattern, blanks in a class, letters that are compared, a recursive function, one that returns in a loop,
// a counter that also counts the line that ends the loop.
#include "testlib.h"
#include <string>
using namespace std;

int visited = 0;

void visit(int depth) {
    if (depth == 0) return;
    visited = visited + 1;
    visit(depth - 1);
}

bool hasVowel(const string& text) {
    for (size_t i = 0; i < text.size(); i++) {
        if (text[i] == 'a') return true;
    }
    if (text.size() > 9) return true;
    return false;
}

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    int n = inf.readInt(1, 9, "n");
    inf.readSpace();
    string kind = inf.readToken("[A-Z]", "kind");
    ensuref(kind == "P" || kind == "Q", "unknown kind");
    inf.readEoln();
    string title = inf.readLine("[a-z\\ -]{1,20}", "title");
    string motto = inf.readLine();
    for (size_t i = 0; i < title.size(); i++) {
        bool ok = false;
        if (title[i] == '-') ok = true;
        else if (title[i] >= 'a') ok = true;
        else if (title[i] == ' ') ok = true;
        ensuref(ok, "letter");
    }
    ensuref(hasVowel(title), "no vowel");
    visit(n);
    ensuref(visited == n, "visited");
    int floats = 0;
    while (true) {
        floats++;
        int length = inf.readInt(0, 50, "length");
        inf.readEoln();
        if (length == 0) break;
    }
    ensuref(floats <= 20, "too many");
    inf.readEof();
}
