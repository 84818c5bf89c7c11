// Numbers that look random.
#pragma once

struct Random {
    unsigned long long state;
    explicit Random(unsigned long long seed) : state(seed * 2 + 1) {}
    long long below(long long bound) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return (long long)((state >> 33) % (unsigned long long)bound);
    }
};
