// Any board with these sums is correct; whether there is one, the reference decides.
#include "judge.h"

using Board = std::vector<std::vector<Number>>;

Board read_board(std::istream &from, Number n, Number m) {
    Board board(n, std::vector<Number>(m));
    for (auto &row : board)
        for (Number &number : row) number = read(from);
    return board;
}

int main(int, char *arguments[]) {
    open_files(arguments);
    for (Number t = read(input_file); t--;) {
        Number n = read(input_file), m = read(input_file);
        Board sums = read_board(input_file, n - 1, m - 1);
        std::string expected = read<std::string>(answer_file), found = read<std::string>(std::cin);
        require(found == "YES" || found == "NO", "this is neither YES nor NO");
        require(expected == found, "only one of reference and submission has a board");
        if (found == "NO") continue;
        read_board(answer_file, n, m);
        Board board = read_board(std::cin, n, m);
        for (auto &row : board)
            for (Number number : row) require(0 <= number && number <= 1000000, "a number is out of range");
        for (Number i = 1; i < n; i++)
            for (Number j = 1; j < m; j++)
                require(board[i][j] + board[i - 1][j] + board[i][j - 1] + board[i - 1][j - 1] == sums[i - 1][j - 1], "a sum is wrong");
    }
    require_end();
    accept();
}
