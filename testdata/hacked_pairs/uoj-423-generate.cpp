// Each block is drawn around the centre of gravity of those above it, sometimes with an end just there.
#include "draw.h"

int main(int count, char *arguments[]) {
    seed(count, arguments);
    int n = int(draw_size(1, 1000));
    long long limit = draw_size(4, 1000000), longest = draw_size(1, limit - 1), mass = 0, moment = 0;
    std::printf("%d\n", n);
    for (int i = 0; i < n; i++) {
        long long low = i ? moment / (2 * mass) : draw(1, limit - 1), high = i ? (moment + 2 * mass - 1) / (2 * mass) : low + 1;
        long long left = draw(0, 3) ? draw(std::max(1LL, low - longest), low) : low;
        long long right = draw(0, 3) ? draw(high, std::min(limit, high + longest)) : high;
        if (left == right) draw(0, 1) && left > 1 ? left-- : right++;
        mass += right - left, moment += (right - left) * (right + left);
        std::printf("%lld %lld\n", left, right);
    }
}
