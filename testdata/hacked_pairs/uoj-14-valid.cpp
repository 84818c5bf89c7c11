// No more edges disappear than there are.
#include "judge.h"

int main() {
    Number n = read(std::cin), m = read(std::cin), edges = 0, before = 0;
    for (int i = 0; i < m; i++) {
        std::string operation = read<std::string>(std::cin);
        Number previous = edges;
        if (operation == "Add") read(std::cin), read(std::cin), edges++;
        if (operation == "Delete") edges -= read(std::cin);
        if (operation == "Return") edges = before;
        require(edges >= 0 && n > 0, "more edges are removed than there are");
        before = previous;
    }
    accept();
}
