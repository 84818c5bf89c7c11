// A planet disappears only where it is.
#include "judge.h"

int main() {
    Number n = read(std::cin);
    read(std::cin), read(std::cin);
    std::vector<Number> parent(n), gained(n), lost(n);
    for (int i = 1; i < n; i++) {
        Number type = read(std::cin);
        parent[i] = read(std::cin);
        (type ? lost : gained)[i] = read(std::cin);
        if (type == 0) read(std::cin), read(std::cin), read(std::cin), read(std::cin);
        if (type == 0) continue;
        Number at = parent[i];
        while (at && gained[at] != lost[i] && lost[at] != lost[i]) at = parent[at];
        require(gained[at] == lost[i] && at, "planet " + std::to_string(lost[i]) + " is not there");
    }
    accept();
}
