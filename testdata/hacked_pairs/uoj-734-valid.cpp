// No name is defined twice at a time, names that disappear are defined, and no expansion is longer than 1000 characters.
#include "judge.h"

std::map<std::string, std::string> macros;
std::set<std::string> active;

size_t expanded_length(const std::string &text) {
    size_t total = 0;
    for (size_t i = 0; i < text.size();) {
        size_t end = i;
        while (end < text.size() && isalnum(text[end])) end++;
        std::string name = text.substr(i, end - i);
        if (end == i) total++, end++;
        else if (macros.count(name) && active.insert(name).second) total += expanded_length(macros[name]), active.erase(name);
        else total += name.size();
        require(total <= 1000, "an expansion is too long");
        i = end;
    }
    return total;
}

int main() {
    std::string line;
    std::getline(std::cin, line);
    while (std::getline(std::cin, line)) {
        std::string name = line.substr(std::min(line.size(), line.find(' ') + 1));
        if (line.rfind("#define ", 0) == 0) {
            size_t end = name.find(' ');
            require(macros.emplace(name.substr(0, end), name.substr(end + 1)).second, "defined twice");
        } else if (line[0] == '#') {
            require(macros.erase(name), "it is not defined");
        } else {
            expanded_length(line);
        }
    }
    accept();
}
