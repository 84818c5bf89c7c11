// As much of testlib as generated validators need, in its words.
#pragma once
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

enum { _ok, _wa };
inline void fail() { std::exit(3); }
inline void ensuref(bool holds, const char*, ...) {
    if (!holds) fail();
}
inline void quitf(int, const char*, ...) { fail(); }
inline void registerValidation(int, char**) {}
inline void setTestCase(int) {}
inline std::string format(const char* text, ...) {
    char buffer[1 << 16];
    va_list arguments;
    va_start(arguments, text);
    std::vsnprintf(buffer, sizeof buffer, text, arguments);
    va_end(arguments);
    return buffer;
}
struct Validator {
    std::string group() { return ""; }
} static validator;

struct Stream {
    std::string text;
    size_t at = 0;
    bool loaded = false;
    bool eof() {
        if (!loaded) {
            loaded = true;
            for (int c; (c = std::getchar()) != EOF;) text += char(c);
        }
        return at >= text.size();
    }
    char readChar() {
        if (eof()) fail();
        return text[at++];
    }
    char readChar(char wanted) {
        if (readChar() != wanted) fail();
        return wanted;
    }
    void unreadChar(char) { at--; }
    void readSpace() { readChar(' '); }
    void readEoln() { readChar('\n'); }
    void readEof() {
        if (!eof()) fail();
    }
    std::string readToken() {
        std::string token;
        while (!eof() && !std::isspace((unsigned char)text[at])) token += text[at++];
        if (token.empty()) fail();
        return token;
    }
    std::string readToken(const std::string& pattern, const std::string&) {
        std::string token = readToken();
        size_t end = pattern.rfind('{'), comma = pattern.find(',', end);
        size_t least = std::stoul(pattern.substr(end + 1));
        size_t most = comma == std::string::npos ? least : std::stoul(pattern.substr(comma + 1));
        if (token.size() < least || token.size() > most) fail();
        std::regex letter(pattern.substr(0, end));
        for (char c : token)
            if (!std::regex_match(std::string(1, c), letter)) fail();
        return token;
    }
    long long readLong(long long least, long long most, const std::string&) {
        std::string token = readToken();
        size_t sign = token[0] == '-' ? 1 : 0;
        if (token.size() > 19 + sign || token.find_first_not_of("0123456789", sign) != std::string::npos) fail();
        long long number = std::strtoll(token.c_str(), nullptr, 10);
        if (std::to_string(number) != token || number < least || number > most) fail();
        return number;
    }
    int readInt(long long least, long long most, const std::string& name) { return int(readLong(least, most, name)); }
    std::vector<long long> readLongs(int count, long long least, long long most, const std::string& name) {
        if (count < 0) fail();
        std::vector<long long> numbers;
        for (int i = 0; i < count; i++) {
            if (i > 0) readSpace();
            numbers.push_back(readLong(least, most, name));
        }
        return numbers;
    }
} static inf;
