// The game as it is: a state is where Alice stands, where Bob stands, and who moves. Allowed one more move each
// time, Alice's best score grows until nothing changes any more; that is the value of the game, since what never
// ends would grow for ever. No use is made of how Bob catches her. Only for small boards.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <vector>
using namespace std;

int n;
vector<long long> value;
vector<vector<int>> steps;  // the cells that a king reaches from each

vector<int> kingSteps(int cell) {
    vector<int> reached;
    for (int dr = -1; dr <= 1; dr++)
        for (int dc = -1; dc <= 1; dc++) {
            int r = cell / n + dr, c = cell % n + dc;
            if ((dr != 0 || dc != 0) && 0 <= r && r < n && 0 <= c && c < n) reached.push_back(r * n + c);
        }
    return reached;
}

// The same without a memory, for boards whose states would not fit into it. It does not get there in time.
long long withoutMemory(int alice, int bob, int moves) {
    long long best = 0;
    for (int to : steps[alice]) {
        long long least = to == bob || moves == 1 ? 0 : -1;
        for (int reply : steps[bob]) {
            if (least == 0) break;
            long long then = reply == to ? 0 : withoutMemory(to, reply, moves - 1);
            if (least < 0 || then < least) least = then;
        }
        best = max(best, value[to] + least);
    }
    return best;
}

long long solve(int alice, int bob) {
    int cells = n * n;
    if (n > 64) return withoutMemory(alice, bob, 2 * n);
    // Alice to move, Bob to move: what she will still get.
    vector<vector<long long>> hers(cells, vector<long long>(cells, 0)), his = hers;
    for (bool changed = true; changed;) {
        changed = false;
        for (int a = 0; a < cells; a++)
            for (int b = 0; b < cells; b++) {
                if (a == b) continue;
                long long best = 0;
                for (int to : steps[a]) best = max(best, value[to] + (to == b ? 0 : his[to][b]));
                changed |= best != hers[a][b];
                hers[a][b] = best;
            }
        for (int a = 0; a < cells; a++)
            for (int b = 0; b < cells; b++) {
                if (a == b) continue;
                long long least = -1;
                for (int to : steps[b]) {
                    long long then = to == a ? 0 : hers[a][to];
                    if (least < 0 || then < least) least = then;
                }
                changed |= least != his[a][b];
                his[a][b] = least;
            }
    }
    return hers[alice][bob];
}

int main() {
    int t;
    cin >> t;
    while (t--) {
        int ax, ay, bx, by;
        cin >> n >> ax >> ay >> bx >> by;
        value.resize(n * n);
        steps.clear();
        for (long long& v : value) cin >> v;
        for (int cell = 0; cell < n * n; cell++) steps.push_back(kingSteps(cell));
        cout << solve((ax - 1) * n + ay - 1, (bx - 1) * n + by - 1) << "\n";
    }
}
