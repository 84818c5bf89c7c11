// The game itself: a table over all sets of undrawn edges. worth[s] is what the player to move will own more than the
// other one from here on, if the edges of s are undrawn. Nothing about chains, loops or control. With u undrawn edges it
// takes 2^u * u steps. Where u is more than 26 no table fits, and the tree of all games is walked without one.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>
using namespace std;

// The same without a table: open[i] is the number of undrawn sides of square i, beside[j] are the squares at edge j.
int walk(vector<char>& drawn, vector<int>& open, const vector<vector<int>>& beside) {
    int best = -1000000;
    for (size_t edge = 0; edge < drawn.size(); edge++) {
        if (drawn[edge]) continue;
        int squares = 0;
        drawn[edge] = 1;
        for (int square : beside[edge]) squares += --open[square] == 0;
        int rest = walk(drawn, open, beside);
        best = max(best, squares ? squares + rest : -rest);
        for (int square : beside[edge]) open[square]++;
        drawn[edge] = 0;
    }
    return best == -1000000 ? 0 : best;
}

// One by one, from the smallest set up: the sets that remain are smaller.
int tabulate(int u, const vector<unsigned>& squares_, const vector<vector<int>>& beside) {
    vector<signed char> worth(1u << u);
    for (unsigned s = 1; s < 1u << u; s++) {
        int best = -127;
        for (unsigned rest = s; rest; rest &= rest - 1) {
            int edge = __builtin_ctz(rest), squares = 0;
            unsigned after = s & ~(1u << edge);
            for (int square : beside[edge]) squares += (squares_[square] & after) == 0;
            best = max(best, squares ? squares + worth[after] : -worth[after]);
        }
        worth[s] = best;
    }
    return worth.back();
}

int main() {
    int cases;
    scanf("%d", &cases);
    while (cases--) {
        int n, m, e;
        scanf("%d %d %d", &n, &m, &e);
        map<pair<pair<int, int>, pair<int, int>>, int> undrawn;
        for (int r = 0; r <= n; r++)
            for (int c = 0; c <= m; c++) {
                if (c < m) undrawn[{{r, c}, {r, c + 1}}] = 0;
                if (r < n) undrawn[{{r, c}, {r + 1, c}}] = 0;
            }
        for (int i = 0; i < e; i++) {
            pair<int, int> a, b;
            scanf("%d %d %d %d", &a.first, &a.second, &b.first, &b.second);
            undrawn.erase({min(a, b), max(a, b)});
        }
        int u = undrawn.size();
        int number = 0;
        for (auto& edge : undrawn) edge.second = number++;
        vector<vector<int>> beside(u);
        vector<unsigned> squares;
        vector<int> open;
        for (int r = 0; r < n; r++)
            for (int c = 0; c < m; c++) {
                pair<int, int> nw(r, c), ne(r, c + 1), sw(r + 1, c), se(r + 1, c + 1);
                unsigned set = 0;
                int count = 0;
                for (auto& side : {make_pair(nw, ne), make_pair(sw, se), make_pair(nw, sw), make_pair(ne, se)}) {
                    auto found = undrawn.find(side);
                    if (found == undrawn.end()) continue;
                    beside[found->second].push_back(squares.size());
                    if (u <= 26) set |= 1u << found->second;
                    count++;
                }
                squares.push_back(set);
                open.push_back(count);
            }
        vector<char> drawn(u);
        int v = u <= 26 ? tabulate(u, squares, beside) : walk(drawn, open, beside);
        bool alice = e % 2 == 0;
        puts(v == 0 ? "Draw" : (v > 0) == alice ? "Alice" : "Bob");
    }
}
