// No four vertices are a path. Each larger part of such a graph is not connected, or its complement is not.
#include "judge.h"

std::vector<std::vector<char>> is_edge;

std::vector<std::vector<int>> components(const std::vector<int> &vertices, bool joined) {
    std::vector<std::vector<int>> found;
    std::set<int> left(vertices.begin(), vertices.end());
    while (!left.empty()) {
        std::vector<int> part{*left.begin()};
        left.erase(left.begin());
        for (size_t at = 0; at < part.size(); at++)
            for (auto other = left.begin(); other != left.end();)
                if (bool(is_edge[part[at]][*other]) == joined) part.push_back(*other), other = left.erase(other);
                else ++other;
        found.push_back(part);
    }
    return found;
}

void check(const std::vector<int> &vertices) {
    if (vertices.size() == 1) return;
    auto parts = components(vertices, true);
    if (parts.size() == 1) parts = components(vertices, false);
    require(parts.size() > 1, "four vertices are a path");
    for (auto &part : parts) check(part);
}

int main() {
    int n = int(read(std::cin));
    is_edge.assign(n, std::vector<char>(n));
    for (int i = 0; i + 1 < n; i++) {
        std::string row = read<std::string>(std::cin);
        for (size_t j = 0; j < row.size(); j++)
            for (int bit = 0; bit < 4; bit++) {
                int other = i + 1 + int(j) * 4 + bit, set = (isdigit(row[j]) ? row[j] - '0' : row[j] - 'A' + 10) >> bit & 1;
                require(other < n || !set, "there is an edge to no vertex");
                if (other < n) is_edge[i][other] = is_edge[other][i] = char(set);
            }
    }
    std::vector<int> all(n);
    for (int i = 0; i < n; i++) all[i] = i;
    check(all);
    accept();
}
