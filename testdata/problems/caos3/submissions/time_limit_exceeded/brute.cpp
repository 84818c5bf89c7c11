// Plays the game: pours the lava cell by cell, as the rules say, and tries every move of both. It remembers who
// wins for each set of cells with lava, and knows nothing of rectangles or nimbers. Only for few monsters.
#include <bitset>
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>
using namespace std;

typedef bitset<400> Cells;

struct Game {
    int rows, cols;
    vector<string> map;
    vector<int> monsters;
    unordered_map<Cells, bool> known;  // does the player to move win?

    bool inside(int r, int c) const { return 0 <= r && r < rows && 0 <= c && c < cols; }

    int arm(int r, int c, int dr, int dc) const {
        int length = 0;
        for (r += dr, c += dc; inside(r, c) && map[r][c] == '^'; r += dr, c += dc) length++;
        return length;
    }

    static bool isPrime(int n) {
        for (int d = 2; d < n; d++)
            if (n % d == 0) return false;
        return n > 1;
    }

    bool isBase(int r, int c) const {
        if (map[r][c] != '^') return false;
        int shortest = min(min(arm(r, c, 0, -1), arm(r, c, 0, 1)), min(arm(r, c, -1, 0), arm(r, c, 1, 0)));
        for (int p = 1; p <= shortest; p++)
            if (isPrime(p)) return true;
        return false;
    }

    void flow(Cells& lava, const Cells& before, int r, int c, int dr, int dc) const {
        for (r += dr, c += dc; inside(r, c) && !before[r * cols + c]; r += dr, c += dc) lava[r * cols + c] = true;
    }

    Cells pour(const Cells& before, int cell) const {
        Cells lava = before;
        int r = cell / cols, c = cell % cols;
        lava[cell] = true;
        flow(lava, before, r, c, 0, -1);
        flow(lava, before, r, c, 0, 1);
        flow(lava, before, r, c, -1, 0);
        flow(lava, before, r, c, 1, 0);
        return lava;
    }

    bool wins(const Cells& lava) {
        auto found = known.find(lava);
        if (found != known.end()) return found->second;
        bool won = false;
        for (size_t i = 0; i < monsters.size() && !won; i++)
            won = !lava[monsters[i]] && !wins(pour(lava, monsters[i]));
        if (known.size() < 1000000) known[lava] = won;  // what is not kept is tried again
        return won;
    }
};

int main() {
    int t;
    cin >> t;
    while (t--) {
        Game game;
        cin >> game.rows >> game.cols;
        game.map.resize(game.rows);
        for (string& row : game.map) cin >> row;
        for (int r = 0; r < game.rows; r++)
            for (int c = 0; c < game.cols; c++)
                if (game.isBase(r, c)) game.monsters.push_back(r * game.cols + c);
        cout << (game.wins(Cells()) ? "Asuna" : "Kirito") << "\n";
    }
}
