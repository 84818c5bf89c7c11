// Operations in random order on sequences of few different values.
#include "draw.h"

int main(int count, char *arguments[]) {
    seed(count, arguments);
    long long n = draw_size(2, 3000), q = draw_size(1, 3000), values = draw_size(0, n), next = n;
    std::vector<long long> ids(n), size(n + q + 1);
    std::printf("%lld %lld\n", n, q);
    for (long long i = 1; i <= n; i++, std::puts("")) {
        ids[i - 1] = i;
        std::printf("%lld", size[i] = draw_size(0, 50));
        for (int j = 0; j < size[i]; j++) std::printf(" %lld", draw(0, values));
    }
    while (q--) {
        long long at = draw(0, (long long)ids.size() - 1), id = ids[at], type = draw(1, 4);
        if (type == 4 && ids.size() > 1) {
            std::swap(ids[at], ids.back()), ids.pop_back();
            long long other = draw(0, (long long)ids.size() - 1), into = ++next;
            std::printf("4 %lld %lld %lld\n", id, ids[other], into);
            size[into] = size[id] + size[ids[other]], ids[other] = into;
        } else if (type == 3 && size[id]) {
            long long m = draw_size(1, 6);
            std::printf("3 %lld %lld", m, id);
            while (--m) std::printf(" %lld", ids[draw(0, (long long)ids.size() - 1)]);
            std::puts("");
        } else if (type == 2 && size[id]) {
            std::printf("2 %lld\n", id), size[id]--;
        } else {
            std::printf("1 %lld %lld\n", id, draw(0, values)), size[id]++;
        }
    }
}
