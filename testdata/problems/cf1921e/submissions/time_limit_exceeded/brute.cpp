// Straight from the rules: searches the game tree, and remembers the value of each position. Right, and
// the reference for small boards; the number of positions grows with the cube of the distance.
#include <cstdint>
#include <iostream>
#include <unordered_map>
#include <vector>
using namespace std;

enum Value { LOSS = -1, DRAW = 0, WIN = 1 };  // for the player to move

struct Position {
    int aliceRow, aliceColumn, bobRow, bobColumn;
    bool aliceMoves;
};

// A position whose moves are being tried, the next one being a step of `step` columns.
struct Node {
    Position position;
    int step;
    int best;
};

struct Game {
    int rows, columns;
    Position start;
    unordered_map<uint64_t, int> known;
    static const size_t MOST_KNOWN = 2000000;  // keeps the memory within its limit; what is not kept is searched again

    bool canMove(const Position& p) const { return p.aliceMoves ? p.aliceRow < rows : p.bobRow > 1; }

    // Makes the move, and says whether it stays on the board.
    bool move(Position& p, int step) const {
        int& column = p.aliceMoves ? p.aliceColumn : p.bobColumn;
        column += step;
        p.aliceMoves ? p.aliceRow++ : p.bobRow--;
        p.aliceMoves = !p.aliceMoves;
        return 1 <= column && column <= columns;
    }

    // Rows and turn follow from the number of moves made; a column is at most 10^6 away from where it was.
    uint64_t key(const Position& p) const {
        uint64_t moves = (p.aliceRow - start.aliceRow) + (start.bobRow - p.bobRow);
        uint64_t alice = p.aliceColumn - start.aliceColumn + (1 << 20);
        uint64_t bob = p.bobColumn - start.bobColumn + (1 << 20);
        return moves << 42 | alice << 21 | bob;
    }

    Node open(const Position& p) const { return {p, -1, canMove(p) ? LOSS : DRAW}; }

    // Depth first, on a stack of its own: a game may be longer than the call stack is deep.
    int search() {
        vector<Node> path = {open(start)};
        while (true) {
            Node& node = path.back();
            if (!canMove(node.position) || node.step > 1 || node.best == WIN) {
                int value = node.best;
                if (known.size() < MOST_KNOWN) known[key(node.position)] = value;
                path.pop_back();
                if (path.empty()) return value;
                path.back().best = max(path.back().best, -value);
                continue;
            }
            Position next = node.position;
            if (!move(next, node.step++)) continue;
            if (next.aliceRow == next.bobRow && next.aliceColumn == next.bobColumn) {
                node.best = WIN;
                continue;
            }
            auto found = known.find(key(next));
            if (found != known.end()) {
                node.best = max(node.best, -found->second);
            } else {
                path.push_back(open(next));
            }
        }
    }
};

int main() {
    int games;
    cin >> games;
    while (games--) {
        Game game;
        Position& p = game.start;
        p.aliceMoves = true;
        cin >> game.rows >> game.columns >> p.aliceRow >> p.aliceColumn >> p.bobRow >> p.bobColumn;
        int value = game.search();
        cout << (value == WIN ? "Alice" : value == LOSS ? "Bob" : "Draw") << endl;
    }
}
