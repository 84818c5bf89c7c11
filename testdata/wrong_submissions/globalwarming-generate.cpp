// Random groups of friends, with few or many different costs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

std::mt19937_64 source;

long long draw(long long low, long long high) { return low + (long long)(source() % (unsigned long long)(high - low + 1)); }

int main(int count, char *arguments[]) {
    source.seed(std::strtoull(arguments[count - 1], nullptr, 10));
    int n = int(draw(1, draw(0, 1) ? 8 : 200)), largest = int(draw(1, 10));
    long long cost = draw(0, 1) ? draw(1, 10) : draw(1, 1000000);
    std::vector<int> name(n);
    std::iota(name.begin(), name.end(), 1);
    std::shuffle(name.begin(), name.end(), source);
    std::vector<std::pair<int, int>> pairs;
    for (int start = 0; start < n;) {
        int size = int(std::min<long long>(draw(1, largest), n - start));
        if (pairs.size() + size * (size - 1) / 2 > 250) size = 1;
        for (int i = start; i < start + size; i++)
            for (int j = start; j < i; j++) pairs.push_back({name[i], name[j]});
        start += size;
    }
    std::shuffle(pairs.begin(), pairs.end(), source);
    std::printf("%d %d\n", n, int(pairs.size()));
    for (auto [p, q] : pairs) std::printf("%d %d %lld\n", p, q, draw(0, cost));
}
