// Any set of criminals is correct with which all others tell the truth and each criminal lies once at most.
#include "judge.h"

int main(int, char *arguments[]) {
    open_files(arguments);
    Number n = read(input_file), m = read(input_file);
    std::string expected = read<std::string>(answer_file), output = read<std::string>(std::cin);
    require((expected == "Impossible") == (output == "Impossible"), "expected " + expected + ", found " + output);
    if (output == "Impossible") require_end(), accept();
    Number count = std::atoll(output.c_str());
    require(0 <= count && count <= n, "not a number of criminals");
    std::vector<char> criminal(n + 1);
    while (count--) {
        Number one = read(std::cin);
        require(1 <= one && one <= n && !criminal[one], "not a list of different people");
        criminal[one] = true;
    }
    require_end();
    std::vector<int> lies(n + 1);
    while (m--) {
        Number speaker = read(input_file), other = read(input_file), innocent = read(input_file);
        lies[speaker] += bool(criminal[other]) == bool(innocent);
    }
    for (int i = 1; i <= n; i++) require(lies[i] <= criminal[i], std::to_string(i) + " lies too often");
    accept();
}
