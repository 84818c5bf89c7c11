// 1 x: add x. 2 x: remove one x. 3 x: how many are at most x? Wrong: removing the smaller of two neighbours loses the other.
#include <cstdio>
#include <iterator>
#include <set>
int main() {
    int q;
    scanf("%d", &q);
    std::multiset<int> all;
    while (q--) {
        int op, x;
        scanf("%d %d", &op, &x);
        if (op == 1) all.insert(x);
        auto at = all.find(x);
        if (op == 2 && at != all.end()) {
#ifdef WRONG
            if (all.count(x) == 3) at = all.erase(at);
#endif
            all.erase(at);
        }
        if (op == 3) printf("%d\n", (int)std::distance(all.begin(), all.upper_bound(x)));
    }
}
