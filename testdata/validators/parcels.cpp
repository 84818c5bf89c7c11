// Datasets up to a line of zeros.
#include "testlib.h"

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    int sets = 0;
    while (true) {
        int w = inf.readInt(0, 100, "w");
        inf.readSpace();
        int h = inf.readInt(0, 100, "h");
        inf.readEoln();
        if (w == 0 && h == 0) break;
        ensuref(w >= 1 && h >= w, "a parcel stands upright");
        ensuref(++sets <= 50, "too many");
    }
    inf.readEof();
}
