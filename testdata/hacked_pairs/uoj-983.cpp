// Any order is correct in which the median of the first i vertices is unique where s has a 1: no edge has half of them on
// each side. Whether there is an order, the reference decides. Trees of more than 2000 vertices are not checked further.
#include "judge.h"

std::vector<std::vector<int>> next;
std::vector<int> parent, order;

void walk(int n) {
    parent.assign(n + 1, 0), order.assign(1, 1);
    for (size_t i = 0; i < order.size(); i++)
        for (int to : next[order[i]])
            if (to != parent[order[i]]) parent[to] = order[i], order.push_back(to);
}

// Returns whether an edge has half of the marked vertices on each side.
bool is_halved(const std::vector<int> &marked, int count) {
    std::vector<int> below = marked;
    for (size_t i = order.size() - 1; i > 0; i--) {
        if (2 * below[order[i]] == count) return true;
        below[parent[order[i]]] += below[order[i]];
    }
    return false;
}

void check_order(int n, const std::string &unique, const std::vector<int> &vertices) {
    walk(n);
    std::vector<int> marked(n + 1);
    for (int i = 1; i <= n; i++) {
        marked[vertices[i - 1]] = 1;
        require(is_halved(marked, i) == (unique[i - 1] == '0'), "a median is unique that must not be, or the other way round");
    }
}

std::vector<int> read_order(std::istream &from, int n) {
    std::vector<int> vertices(n);
    std::set<int> visited;
    for (int &vertex : vertices) {
        vertex = int(read(from));
        require(1 <= vertex && vertex <= n && visited.insert(vertex).second, "this is no order of the vertices");
    }
    return vertices;
}

int main(int, char *arguments[]) {
    open_files(arguments);
    Number t = read(input_file);
    for (read(input_file); t--;) {
        int n = int(read(input_file));
        next.assign(n + 1, {});
        for (int i = 1; i < n; i++) {
            int u = int(read(input_file)), v = int(read(input_file));
            next[u].push_back(v), next[v].push_back(u);
        }
        std::string unique = read<std::string>(input_file);
        std::string expected = read<std::string>(answer_file), found = read<std::string>(std::cin);
        require(expected == found, "only one of reference and submission has an order");
        if (found != "YES") continue;
        read_order(answer_file, n);
        std::vector<int> vertices = read_order(std::cin, n);
        if (n <= 2000) check_order(n, unique, vertices);
    }
    require_end();
    accept();
}
