// Compares the tokens of the output with those of the answer. Written by `rebut export`.
#include "testlib.h"
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

static const bool case_sensitive = @CASE@;
static const bool space_sensitive = @SPACE@;
static const bool has_tolerance = @TOLERANCE@;
static const double absolute = @ABSOLUTE@, relative = @RELATIVE@;

static bool is_number(const std::string &text, double &value) {
    char *end = nullptr;
    value = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == 0 && !std::isspace((unsigned char)text[0]) && std::isfinite(value);
}

static std::string folded(std::string text) {
    if (!case_sensitive)
        std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

static bool are_equal(const std::string &expected, const std::string &found) {
    double a, b;
    if (has_tolerance && is_number(expected, a) && is_number(found, b))
        return std::fabs(a - b) <= std::max(absolute, relative * std::fabs(a));
    return folded(expected) == folded(found);
}

int main(int argc, char *argv[]) {
    registerTestlibCmd(argc, argv);
    if (space_sensitive) {
        while (!ans.eof() && !ouf.eof())
            if (ans.readChar() != ouf.curChar()) quitf(_wa, "characters differ");
            else ouf.skipChar();
        if (!ans.eof() || !ouf.eof()) quitf(_wa, "the lengths differ");
        quitf(_ok, "equal");
    }
    for (int token = 1; !ans.seekEof(); token++) {
        std::string expected = ans.readToken();
        if (ouf.seekEof()) quitf(_wa, "token %d: expected '%s', found the end", token, compress(expected).c_str());
        std::string found = ouf.readToken();
        if (!are_equal(expected, found))
            quitf(_wa, "token %d: expected '%s', found '%s'", token, compress(expected).c_str(), compress(found).c_str());
    }
    if (!ouf.seekEof()) quitf(_wa, "there is more than the answer");
    quitf(_ok, "equal");
}
