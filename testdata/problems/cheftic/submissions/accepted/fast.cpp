// A win is a window of K cells that holds K-1 X and one empty cell. Prefix sums along
// the four directions make each window O(1), and a board O(n^2).
#include <iostream>
#include <string>
#include <vector>
using namespace std;

const int DX[4] = {0, 1, 1, 1};
const int DY[4] = {1, 0, 1, -1};

bool canWin(const vector<string>& board, int k) {
    int n = board.size();
    for (int d = 0; d < 4; d++) {
        // xs[i+1][j+1]: the number of X on the line that goes in direction d and ends in (i, j); a frame of zeros around
        vector<vector<int>> xs(n + 2, vector<int>(n + 2)), empty = xs;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                int pi = i - DX[d] + 1, pj = j - DY[d] + 1;
                xs[i + 1][j + 1] = xs[pi][pj] + (board[i][j] == 'X');
                empty[i + 1][j + 1] = empty[pi][pj] + (board[i][j] == '.');
                // the window of K cells that ends here begins in (si, sj); just before it is (bi, bj)
                int si = i - DX[d] * (k - 1), sj = j - DY[d] * (k - 1);
                if (si < 0 || sj < 0 || sj >= n) continue;
                int bi = si - DX[d] + 1, bj = sj - DY[d] + 1;
                int x = xs[i + 1][j + 1] - xs[bi][bj];
                int e = empty[i + 1][j + 1] - empty[bi][bj];
                if (x == k - 1 && e == 1) return true;
            }
        }
    }
    return false;
}

int main() {
    int cases;
    cin >> cases;
    while (cases--) {
        int n, k;
        cin >> n >> k;
        vector<string> board(n);
        for (string& row : board) cin >> row;
        cout << (canWin(board, k) ? "YES" : "NO") << "\n";
    }
}
