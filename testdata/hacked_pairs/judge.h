// What the checkers of this folder share: the three files of a checker, and its results.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

using Number = long long;

std::ifstream input_file, answer_file;
std::string feedback_path;

[[noreturn]] void refuse(const std::string &reason) {
    std::ofstream(feedback_path) << reason << "\n";
    std::exit(43);
}

[[noreturn]] void accept() { std::exit(42); }

void require(bool holds, const std::string &reason) {
    if (!holds) refuse(reason);
}

void open_files(char *arguments[]) {
    input_file.open(arguments[1]);
    answer_file.open(arguments[2]);
    feedback_path = std::string(arguments[3]) + "judgemessage.txt";
}

template <class T = Number> T read(std::istream &from) {
    T value;
    require(bool(from >> value), "a token is missing or malformed");
    return value;
}

void require_end() {
    std::string rest;
    require(!(std::cin >> rest), "there are tokens behind the output");
}
