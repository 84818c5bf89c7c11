// The names form a palindrome. It is built from both ends, and what one end has in advance is nothing or one letter: a
// name of one letter is an edge between nothing and the letter, a name of two letters is an edge between these.
// So the edges that are connected to nothing need a walk that starts there and takes each of them once. All others come
// in equal pairs, but one name of two equal letters may be in the middle, if the walk returns.
#include "judge.h"

struct Graph {
    std::map<std::pair<Number, Number>, int> edges;
    std::map<Number, std::vector<Number>> neighbours;
    std::set<Number> reached;

    void visit(Number letter) {
        std::vector<Number> waiting{letter};
        while (!waiting.empty()) {
            Number at = waiting.back();
            waiting.pop_back();
            if (!reached.insert(at).second) continue;
            for (Number next : neighbours[at]) waiting.push_back(next);
        }
    }
};

int main() {
    Number n = read(std::cin);
    read(std::cin);
    Graph graph;
    while (n--) {
        Number length = read(std::cin), a = read(std::cin), b = length == 2 ? read(std::cin) : 0;
        graph.edges[std::minmax(a, b)]++;
        graph.neighbours[a].push_back(b), graph.neighbours[b].push_back(a);
    }
    graph.visit(0);
    std::map<Number, int> degree;
    int odd = 0, middles = 0;
    for (auto [edge, times] : graph.edges) {
        if (graph.reached.count(edge.first)) degree[edge.first] += times, degree[edge.second] += times;
        else if (times % 2) require(edge.first == edge.second, "a name lacks its counterpart"), middles++;
    }
    for (auto [letter, edges] : degree) odd += letter != 0 && edges % 2;
    require(odd + middles <= 1, "the names do not form a palindrome");
    accept();
}
