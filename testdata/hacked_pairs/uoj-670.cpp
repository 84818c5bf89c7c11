// Any order that forms a palindrome is correct.
#include "judge.h"

bool is_palindrome(std::istream &from, const std::vector<std::vector<Number>> &names) {
    std::vector<Number> order(names.size()), turned(names.size()), word;
    for (Number &name : order)
        if (!(from >> name) || name < 1 || name > Number(names.size())) return false;
    for (Number &turn : turned)
        if (!(from >> turn) || turn < 0 || turn > 1) return false;
    for (size_t i = 0; i < order.size(); i++) {
        std::vector<Number> name = names[order[i] - 1];
        if (turned[i]) std::reverse(name.begin(), name.end());
        word.insert(word.end(), name.begin(), name.end());
    }
    std::vector<Number> mirrored(word.rbegin(), word.rend());
    std::sort(order.begin(), order.end());
    return mirrored == word && std::adjacent_find(order.begin(), order.end()) == order.end();
}

int main(int, char *arguments[]) {
    open_files(arguments);
    Number n = read(input_file);
    read(input_file);
    std::vector<std::vector<Number>> names(n);
    for (auto &name : names) {
        name.resize(read(input_file));
        for (Number &letter : name) letter = read(input_file);
    }
    require(is_palindrome(std::cin, names), "the names do not form a palindrome");
    require_end();
    accept();
}
