// The walk may be any of the longest. Its length and number of trees, and the number of machines, are compared.
#include "judge.h"

int main(int, char *arguments[]) {
    open_files(arguments);
    Number n = read(input_file);
    std::vector<std::pair<Number, Number>> tree(n + 1);
    for (int i = 1; i <= n; i++) tree[i].first = read(input_file), tree[i].second = read(input_file);
    Number expected = read(answer_file), count = read(std::cin);
    require(expected == count, "expected " + std::to_string(expected) + " trees, found " + std::to_string(count));
    std::set<Number> seen;
    Number height = 0;
    for (int i = 0; i < count; i++) {
        read(answer_file);
        Number at = read(std::cin);
        require(1 <= at && at <= n && seen.insert(at).second, "the walk is not a sequence of different trees");
        require(tree[at].second >= height, "the walk goes back");
        height = tree[at].second;
    }
    require(read(answer_file) == read(std::cin), "the number of machines differs");
    require_end();
    accept();
}
