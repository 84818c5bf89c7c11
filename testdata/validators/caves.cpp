// A board with one start, read row by row.
#include "testlib.h"
using namespace std;

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    int rows = inf.readInt(1, 40, "R");
    inf.readSpace();
    int columns = inf.readInt(1, 40, "C");
    inf.readEoln();
    int starts = 0, rocks = 0;
    for (int r = 0; r < rows; r++) {
        string row = inf.readToken("[.#SE]{1,40}", "cave");
        inf.readEoln();
        ensuref((int)row.size() == columns, "row %d is too short", r + 1);
        for (char cell : row) {
            if (cell == 'S') ++starts;
            else if (cell == '#') ++rocks;
        }
    }
    ensuref(starts == 1, "one start");
    if (rocks > 100) quitf(_fail, "too many rocks");
    inf.readEof();
}
