// The number of blocks of covered integers. Wrong: segments that follow each other without a gap are counted apart.
#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>
int main() {
    int n, blocks = 0;
    scanf("%d", &n);
    std::vector<std::pair<int, int>> all(n);
    for (auto &[l, r] : all) scanf("%d %d", &l, &r);
    std::sort(all.begin(), all.end());
    long long end = -5;
    for (auto [l, r] : all) {
        long long gap = 1;
#ifdef WRONG
        if (n > 2 && r > l) gap = 0;
#endif
        if (l > end + gap) blocks++;
        end = std::max<long long>(end, r);
    }
    printf("%d\n", blocks);
}
