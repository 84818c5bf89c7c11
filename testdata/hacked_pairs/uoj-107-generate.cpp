// Boards of random density with all robots.
#include "draw.h"

int main(int count, char *arguments[]) {
    seed(count, arguments);
    int w = int(draw_size(2, 30)), h = int(draw_size(2, 30)), n = int(draw(2, std::min(9, w * h)));
    std::string cells;
    int walls = int(draw(0, 40)), plates = int(draw(0, 30));
    for (int i = 0; i < w * h; i++) {
        int kind = int(draw(0, 99));
        cells += kind < walls ? 'x' : kind < walls + plates ? "AC"[draw(0, 1)] : '.';
    }
    std::vector<int> places(w * h);
    std::iota(places.begin(), places.end(), 0);
    std::shuffle(places.begin(), places.end(), source);
    for (int robot = 0; robot < n; robot++) cells[places[robot]] = char('1' + robot);
    std::printf("%d %d %d\n", n, w, h);
    for (int i = 0; i < h; i++) std::puts(cells.substr(i * w, w).c_str());
}
