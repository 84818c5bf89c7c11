// All balls can be put into baskets: a matching of the balls with three places in each basket.
#include "judge.h"

std::vector<std::vector<int>> allowed, inside;
std::vector<bool> seen;

bool place(int ball) {
    for (int basket : allowed[ball]) {
        if (seen[basket]) continue;
        seen[basket] = true;
        if (inside[basket].size() < 3) {
            inside[basket].push_back(ball);
            return true;
        }
        for (int &other : inside[basket])
            if (place(other)) {
                other = ball;
                return true;
            }
    }
    return false;
}

int main() {
    for (Number t = read(std::cin); t--;) {
        Number n = read(std::cin), m = read(std::cin), e = read(std::cin);
        allowed.assign(n + 1, {}), inside.assign(m + 1, {});
        while (e--) {
            Number ball = read(std::cin);
            allowed[ball].push_back(int(read(std::cin)));
        }
        for (int ball = 1; ball <= n; ball++) {
            seen.assign(m + 1, false);
            require(place(ball), "a ball has no place");
        }
    }
    accept();
}
