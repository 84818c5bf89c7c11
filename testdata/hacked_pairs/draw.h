// What the generators of this folder share: numbers from the seed, which is the last argument, and sizes that grow slowly.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

std::mt19937_64 source;

void seed(int count, char *arguments[]) { source.seed(std::strtoull(arguments[count - 1], nullptr, 10)); }

long long draw(long long low, long long high) { return low + (long long)(source() % (unsigned long long)(high - low + 1)); }

// Returns a size of any order of magnitude.
long long draw_size(long long low, long long high) {
    long long limit = low;
    while (limit < high && draw(0, 3)) limit = limit * 2 + 1;
    return draw(low, std::min(limit, high));
}
