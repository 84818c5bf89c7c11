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
    // `strtod` also reads hexadecimal numbers, `inf` and `nan`.
    if (text.find_first_not_of("0123456789+-.eE") != std::string::npos) return false;
    char *end = nullptr;
    value = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == 0 && std::isfinite(value);
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

// Reads white space, or what is between white space.
static std::string read_part(InStream &stream, bool is_space) {
    std::string part;
    while (!stream.eof() && (std::isspace((unsigned char)stream.curChar()) != 0) == is_space) part += stream.readChar();
    return part;
}

int main(int argc, char *argv[]) {
    registerTestlibCmd(argc, argv);
    for (int token = 1;; token++) {
        bool is_spaced_alike = read_part(ans, true) == read_part(ouf, true);
        std::string expected = read_part(ans, false), found = read_part(ouf, false);
        if (expected.empty() != found.empty() || !are_equal(expected, found))
            quitf(_wa, "token %d: expected '%s', found '%s'", token, compress(expected).c_str(), compress(found).c_str());
        if (space_sensitive && !is_spaced_alike) quitf(_wa, "token %d: the white space before it differs", token);
        if (expected.empty()) quitf(_ok, "equal");
    }
}
