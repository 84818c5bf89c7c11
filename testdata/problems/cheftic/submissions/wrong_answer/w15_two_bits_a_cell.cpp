// The last K cells of a line in one number, two bits for each cell. Sixteen cells fill its 32 bits; of a longer window
// the first ones are pushed out, and what stood there is never looked at.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

bool wins(const string& line, int k) {
    uint32_t mask = k < 16 ? (1u << 2 * k) - 1 : ~0u;
    uint32_t full = 0x55555555u & mask;  // an X in each cell
    uint32_t code = 0;
    for (int i = 0; i < (int)line.size(); i++) {
        code = (code << 2 | (line[i] == 'X' ? 1 : line[i] == 'O' ? 2 : 0)) & mask;
        if (i + 1 < k) continue;
        uint32_t missing = full ^ code;
        // one empty cell is a single bit in an even place
        if (missing && !(missing & (missing - 1)) && (missing & full)) return true;
    }
    return false;
}

int main() {
    int t;
    cin >> t;
    while (t--) {
        int n, k;
        cin >> n >> k;
        vector<string> board(n), lines;
        for (string& row : board) cin >> row;
        lines = board;
        for (int j = 0; j < n; j++) {
            string column;
            for (int i = 0; i < n; i++) column += board[i][j];
            lines.push_back(column);
        }
        for (int s = -n + 1; s < 2 * n - 1; s++) {
            string down, up;
            for (int i = 0; i < n; i++) {
                if (0 <= i + s && i + s < n) down += board[i][i + s];
                if (0 <= s - i && s - i < n) up += board[i][s - i];
            }
            lines.push_back(down);
            lines.push_back(up);
        }
        bool ok = false;
        for (const string& line : lines) ok = ok || wins(line, k);
        cout << (ok ? "YES" : "NO") << "\n";
    }
}
