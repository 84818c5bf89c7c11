#include <testlib.h>

int main() {
    std::string line, rest;
    std::getline(std::cin, line);
    int a = -1, b = -1, length = 0;
    bool whole = std::sscanf(line.c_str(), "%d %d%n", &a, &b, &length) == 2 && length == (int)line.size();
    bool ends = !std::getline(std::cin, rest);
    end(whole && ends && 0 <= a && a <= 100 && 0 <= b && b <= 100 ? 0 : 1, "looked at");
}
