// The edges are a tree after each change: the one that goes is there, and the other one joins the two parts.
#include "judge.h"

int main() {
    int n = int(read(std::cin)), m = int(read(std::cin));
    std::vector<std::multiset<int>> next(n + 1);
    auto change = [&](int a, int b, bool add) {
        if (add) {
            next[a].insert(b), next[b].insert(a);
            return;
        }
        require(next[a].count(b), "the edge that is to go is not there");
        next[a].erase(next[a].find(b)), next[b].erase(next[b].find(a));
    };
    auto read_edge = [&](bool add) {
        int a = int(read(std::cin));
        change(a, int(read(std::cin)), add);
    };
    for (int i = 1; i < n; i++) read_edge(true);
    for (int i = 1; i < n; i++) read(std::cin);
    while (m--) {
        read_edge(false), read_edge(true);
        std::vector<bool> reached(n + 1);
        std::vector<int> waiting{1};
        reached[1] = true;
        int count = 0;
        while (!waiting.empty()) {
            int a = waiting.back();
            waiting.pop_back(), count++;
            for (int b : next[a])
                if (!reached[b]) reached[b] = true, waiting.push_back(b);
        }
        require(count == n, "the edges are no tree after a change");
    }
    accept();
}
