// Only sequences that exist are used, an element is removed only from one that has some, and questions are about some.
#include "judge.h"

int main() {
    Number n = read(std::cin), q = read(std::cin);
    std::map<Number, Number> size;
    for (int i = 1; i <= n; i++) {
        size[i] = read(std::cin);
        for (int j = 0; j < size[i]; j++) read(std::cin);
    }
    auto existing = [&] {
        auto found = size.find(read(std::cin));
        require(found != size.end(), "there is no such sequence");
        return found;
    };
    while (q--) {
        Number type = read(std::cin);
        if (type == 1) existing()->second++, read(std::cin);
        if (type == 2) require(existing()->second-- > 0, "it is empty");
        if (type == 3) {
            Number total = 0;
            for (Number m = read(std::cin); m--;) total += existing()->second;
            require(total > 0, "a question about nothing");
        }
        if (type == 4) {
            auto first = existing(), second = existing();
            Number sum = first->second + second->second;
            size.erase(first), size.erase(second);
            require(size.emplace(read(std::cin), sum).second, "the sequence exists already");
        }
    }
    accept();
}
