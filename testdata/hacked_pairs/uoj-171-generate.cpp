// Each ball is put into a basket with a free place; other pairs are allowed at random.
#include "draw.h"

int main(int count, char *arguments[]) {
    seed(count, arguments);
    int t = int(draw_size(1, 5));
    std::printf("%d\n", t);
    while (t--) {
        int m = int(draw_size(1, 12)), n = int(draw(1, 3 * m)), density = int(draw(0, 60));
        std::vector<int> places;
        for (int basket = 1; basket <= m; basket++) places.insert(places.end(), 3, basket);
        std::shuffle(places.begin(), places.end(), source);
        std::set<std::pair<int, int>> pairs;
        for (int ball = 1; ball <= n; ball++) {
            pairs.insert({ball, places[ball - 1]});
            for (int basket = 1; basket <= m; basket++)
                if (draw(0, 99) < density) pairs.insert({ball, basket});
        }
        std::printf("%d %d %d\n", n, m, int(pairs.size()));
        for (auto [ball, basket] : pairs) std::printf("%d %d\n", ball, basket);
    }
}
