// The sums of squares of hidden boards, whose numbers are small, large or both.
#include "draw.h"

int main(int count, char *arguments[]) {
    seed(count, arguments);
    int t = int(draw_size(1, 10));
    std::printf("%d\n", t);
    while (t--) {
        int n = int(draw_size(2, 40)), m = int(draw_size(2, 40)), kind = int(draw(0, 3));
        std::vector<std::vector<long long>> board(n, std::vector<long long>(m));
        for (auto &row : board)
            for (auto &number : row) {
                bool low = kind == 0 || (kind == 1 && draw(0, 1));
                number = kind == 3 ? draw(0, 1000000) : low ? draw(0, 2) : 1000000 - draw(0, 2);
            }
        std::printf("%d %d\n", n, m);
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                std::printf("%lld%c", board[i][j] + board[i - 1][j] + board[i][j - 1] + board[i - 1][j - 1], j + 1 < m ? ' ' : '\n');
    }
}
