// Takes the choices of a generator from rebut, so that its findings shrink: see docs/reference/choices.md.
// Call rebut::init(argc, argv) first. The same draws give the same values in rebut.py and rebut.rs.
#ifndef REBUT_H_
#define REBUT_H_
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace rebut {
typedef unsigned long long u64;

// The draws to be replayed, and the seed of those after them. Without a seed there are none.
struct Source {
    std::vector<u64> draws;
    std::size_t used = 0;
    bool is_fresh = true, is_logged = false;
    u64 state = 0;
    int growth = 100;
    std::string log;

    ~Source() { std::fwrite(log.data(), 1, log.size(), stderr); }
};

inline Source& source() {
    static Source only;
    return only;
}
// Returns the request on the standard input, if that is a file which begins with one; whatever follows is left there.
inline std::string read_request() {
    const std::string name = "rebut-choices 1 ";
    struct stat about;
    const off_t start = lseek(0, 0, SEEK_CUR);
    if (fstat(0, &about) != 0 || !S_ISREG(about.st_mode) || start < 0) return "";
    std::string text;
    char part[4096];
    while (text.find('\n') == std::string::npos) {
        const ssize_t length = pread(0, part, sizeof part, start + static_cast<off_t>(text.size()));
        if (length <= 0) break;
        text.append(part, static_cast<std::size_t>(length));
        if (text.compare(0, name.size(), name) != 0) return "";
    }
    if (text.empty()) return text;
    text.resize(text.find('\n') == std::string::npos ? text.size() : text.find('\n') + 1);
    lseek(0, start + static_cast<off_t>(text.size()), SEEK_SET);
    return text.substr(name.size());
}

// Reads the request of rebut. Without one, the seed is made of all arguments.
inline void init(int argc, char** argv) {
    Source& s = source();
    std::istringstream words(read_request());
    std::string seed, log;
    if (words >> seed) {
        if (!(words >> s.growth >> log)) std::exit(std::fputs("rebut: malformed request for choices\n", stderr) | 1);
        s.is_fresh = seed != "-";
        s.state = s.is_fresh ? std::strtoull(seed.c_str(), nullptr, 10) : 0;
        s.is_logged = log == "log";
        for (u64 draw; words >> draw;) s.draws.push_back(draw);
        if (s.is_logged) s.log = "rebut-choices 1\n";
        return;
    }
    s.state = 14695981039346656037ULL;  // FNV-1a
    for (int at = 1; at < argc; at++)
        for (const char* c = argv[at]; c != nullptr; c = *c == 0 ? nullptr : c + 1)
            s.state = (s.state ^ static_cast<unsigned char>(*c)) * 1099511628211ULL;
}

inline u64 next_word() {  // SplitMix64
    u64 z = (source().state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

// Draws from 0 to most. Everything else is made of this.
inline u64 draw(u64 most) {
    Source& s = source();
    if (most == 0) return 0;
    u64 value;
    if (s.used < s.draws.size()) {
        value = s.draws[s.used] < most ? s.draws[s.used] : most;
    } else if (s.is_fresh) {
        do value = next_word() >> __builtin_clzll(most);
        while (value > most);
    } else {
        std::exit(std::fputs("rebut: out of draws\n", stderr) | 1);
    }
    s.used++;
    if (s.is_logged) s.log += "~" + std::to_string(value) + "\n";
    return value;
}

// Returns a number from lo to hi, which shrinks towards the one nearest to 0.
inline long long next(long long lo, long long hi) {
    if (lo >= hi) return lo;
    const long long start = lo > 0 ? lo : hi < 0 ? hi : 0;
    const u64 above = static_cast<u64>(hi) - static_cast<u64>(start);
    const u64 drawn = draw(static_cast<u64>(hi) - static_cast<u64>(lo)), from = static_cast<u64>(start);
    return static_cast<long long>(drawn <= above ? from + drawn : from - (drawn - above));
}

// Returns how large inputs are to be, from 0 to 100.
inline int growth() { return source().growth; }
// Returns a number from lo to hi, close to lo while the growth is small.
inline long long size(long long lo, long long hi) {
    u64 most = lo < hi ? static_cast<u64>(hi) - static_cast<u64>(lo) : 0;
    if (growth() < 100) {
        const u64 steps = static_cast<u64>(64 - __builtin_clzll(most)) * static_cast<u64>(growth());
        const u64 power = 1ULL << steps / 100, rest = steps % 100;
        const u64 scaled = power + power / 100 * rest + power % 100 * rest / 100 + 2;
        most = scaled < most ? scaled : most;
    }
    return static_cast<long long>(static_cast<u64>(lo) + draw(most));
}

// Returns true in a of b cases.
inline bool chance(u64 a, u64 b) { return draw(b - 1) + a >= b; }
// Returns an index, with a probability in proportion to its weight.
inline std::size_t weighted(const std::vector<u64>& weights) {
    u64 total = 0;
    for (u64 weight : weights) total += weight;
    u64 left = draw(total > 0 ? total - 1 : 0);
    std::size_t at = 0;
    for (; at + 1 < weights.size() && left >= weights[at]; at++) left -= weights[at];
    return at;
}

template <class T> const T& choice(const std::vector<T>& items) {
    return items[draw(items.size() - 1)];
}

template <class T> void shuffle(std::vector<T>& items) {
    for (std::size_t last = items.size(); last-- > 1;) std::swap(items[last], items[last - draw(last)]);
}

// Returns the numbers from 1 to n in any order.
inline std::vector<long long> permutation(long long n) {
    std::vector<long long> items(static_cast<std::size_t>(n));
    for (std::size_t at = 0; at < items.size(); at++) items[at] = static_cast<long long>(at) + 1;
    shuffle(items);
    return items;
}
}  // namespace rebut
#endif
