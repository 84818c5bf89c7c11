// There are four different places a, b, c, d other than 1, each within k changes of the next, as are a and d of 1.
#include "judge.h"

int main() {
    Number n = read(std::cin), m = read(std::cin), steps = read(std::cin) + 1;
    for (Number i = 1; i < n; i++) read(std::cin);
    std::vector<std::vector<int>> next(n + 1);
    while (m--) {
        Number u = read(std::cin), v = read(std::cin);
        next[u].push_back(int(v)), next[v].push_back(int(u));
    }
    std::vector<std::vector<char>> near(n + 1, std::vector<char>(n + 1));
    for (int start = 1; start <= n; start++) {
        std::vector<int> distance(n + 1, -1), waiting{start};
        distance[start] = 0;
        for (size_t i = 0; i < waiting.size(); i++)
            for (int to : next[waiting[i]])
                if (distance[to] < 0) distance[to] = distance[waiting[i]] + 1, waiting.push_back(to);
        for (int i = 2; i <= n; i++) near[start][i] = i != start && 0 < distance[i] && distance[i] <= steps;
    }
    // Three first places for each second one are enough: at most two of them are used elsewhere.
    std::vector<std::vector<int>> first(n + 1);
    for (int b = 2; b <= n; b++)
        for (int a = 2; a <= n && first[b].size() < 3; a++)
            if (near[1][a] && near[a][b]) first[b].push_back(a);
    for (int b = 2; b <= n; b++)
        for (int c = 2; c <= n; c++)
            if (near[b][c])
                for (int a : first[b])
                    for (int d : first[c])
                        if (a != c && a != d && b != d) accept();
    refuse("there is no such trip");
}
