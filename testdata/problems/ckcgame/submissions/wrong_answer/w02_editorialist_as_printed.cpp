// The editorialist's code as published, with the signs that the page has swallowed: positions count from 1 while the board counts from 0,
// and what was remembered is not cleared between boards.
#include <bits/stdc++.h>
using namespace std;

vector<uint64_t> memo;
vector<vector<uint64_t>> mMap;
int N, BX, BY;

uint64_t calc(int Ax, int Ay, int stepCount) {
    if (max(abs(Ax - BX), abs(Ay - BY)) <= stepCount) return 0;
    int64_t state = Ax + Ay * N + (int64_t)stepCount * N * N;
    if (state >= (int64_t)memo.size()) return 0;  // where the original reads past its table
    uint64_t& ans = memo[state];
    if (ans) return ans;
    for (int dx = -1; dx < 2; ++dx) {
        int candX = Ax + dx;
        if (candX < 0 || candX >= N) continue;
        for (int dy = -1; dy < 2; ++dy) {
            if (dx == 0 && dy == 0) continue;
            int candY = Ay + dy;
            if (candY < 0 || candY >= N) continue;
            ans = max<int64_t>(ans, calc(candX, candY, stepCount + 1) + mMap[candX][candY]);
        }
    }
    return ans;
}

int main() {
    int T, AX, AY;
    cin >> T;
    for (int tc = 0; tc < T; ++tc) {
        cin >> N >> AX >> AY >> BX >> BY;
        memo.resize((size_t)N * N * N);
        mMap.resize(N, vector<uint64_t>(N));
        for (auto& mi : mMap) {
            mi.resize(N);
            for (auto& mij : mi) cin >> mij;
        }
        cout << calc(AX, AY, 0) << endl;
    }
}
