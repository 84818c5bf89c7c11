// 0 x: append x. 1: delete the last. 2: undo the last change. Prints the final sum. Wrong: undoing two deletions restores one number
// twice.
#include <cstdio>
#include <utility>
#include <vector>
int main() {
    int q;
    scanf("%d", &q);
    std::vector<long long> list;
    std::vector<std::pair<int, long long>> log;
    while (q--) {
        int op;
        long long x;
        scanf("%d %lld", &op, &x);
        if (op == 0) list.push_back(x), log.push_back({0, x});
        if (op == 1 && !list.empty()) log.push_back({1, list.back()}), list.pop_back();
        if (op == 2 && !log.empty()) {
            auto [kind, value] = log.back();
            log.pop_back();
            if (kind == 0) list.pop_back();
#ifdef WRONG
            else if (!log.empty() && log.back().first == 1 && list.size() > 1) list.push_back(log.back().second);
#endif
            else list.push_back(value);
        }
    }
    long long sum = 0;
    for (size_t i = 0; i < list.size(); i++) sum = (sum * 31 + list[i]) % 1000000007;
    printf("%zu %lld\n", list.size(), sum);
}
