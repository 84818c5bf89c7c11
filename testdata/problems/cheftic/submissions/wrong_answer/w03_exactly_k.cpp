// Assumes that one X can never make a run longer than K, because no run of K existed before, and so
// asks for a run of exactly K. An X between two runs makes a longer one.
#include <bits/stdc++.h>
using namespace std;

int n, k;
char g[25][25];

int walk(int x, int y, int dx, int dy) {
    int c = 0;
    x += dx; y += dy;
    while (x >= 0 && y >= 0 && x < n && y < n && g[x][y] == 'X') {
        c++;
        x += dx; y += dy;
    }
    return c;
}

int main() {
    int t;
    scanf("%d", &t);
    while (t--) {
        scanf("%d %d", &n, &k);
        for (int i = 0; i < n; i++) scanf("%s", g[i]);
        bool ok = false;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                if (g[i][j] != '.') continue;
                if (walk(i, j, 0, 1) + 1 + walk(i, j, 0, -1) == k) ok = true;
                if (walk(i, j, 1, 0) + 1 + walk(i, j, -1, 0) == k) ok = true;
                if (walk(i, j, 1, 1) + 1 + walk(i, j, -1, -1) == k) ok = true;
                if (walk(i, j, 1, -1) + 1 + walk(i, j, -1, 1) == k) ok = true;
            }
        puts(ok ? "YES" : "NO");
    }
}
