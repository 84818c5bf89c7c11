// In each case, n can be reached from 1.
#include "judge.h"

int main() {
    for (Number t = read(std::cin); t--;) {
        Number n = read(std::cin), m = read(std::cin);
        read(std::cin), read(std::cin);
        std::vector<std::vector<Number>> next(n + 1);
        while (m--) {
            Number a = read(std::cin), b = read(std::cin);
            read(std::cin);
            next[a].push_back(b);
        }
        std::vector<bool> reached(n + 1);
        std::vector<Number> waiting{1};
        reached[1] = true;
        while (!waiting.empty()) {
            Number a = waiting.back();
            waiting.pop_back();
            for (Number b : next[a])
                if (!reached[b]) reached[b] = true, waiting.push_back(b);
        }
        require(reached[n], "there is no way from 1 to n");
    }
    accept();
}
