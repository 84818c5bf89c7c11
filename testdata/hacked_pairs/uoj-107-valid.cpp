// Each of the robots 1 to n is on the board once, and no other.
#include "judge.h"

int main() {
    Number n = read(std::cin), w = read(std::cin), h = read(std::cin);
    std::map<char, Number> times;
    for (Number i = 0; i < h; i++) {
        std::string row = read<std::string>(std::cin);
        require(Number(row.size()) == w, "a row is too short or too long");
        for (char cell : row) times[cell]++;
    }
    for (char robot = '1'; robot <= '9'; robot++) require(times[robot] == (robot - '0' <= n), "a robot is missing or there twice");
    accept();
}
