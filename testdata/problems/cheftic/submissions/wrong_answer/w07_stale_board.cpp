// One global board with a frame, "so no bounds checks are needed". It is never cleared, so a small
// board is framed by what is left of a larger one before it.
#include <cstdio>

int n, k;
char g[64][64];

int count(int x, int y, int dx, int dy) {
    int c = 0;
    while (g[x + dx][y + dy] == 'X') {
        x += dx;
        y += dy;
        c++;
    }
    return c;
}

int main() {
    int t;
    scanf("%d", &t);
    while (t--) {
        scanf("%d %d", &n, &k);
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++) scanf(" %c", &g[i][j]);
        bool ok = false;
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++)
                if (g[i][j] == '.')
                    for (int dx = -1; dx <= 1; dx++)
                        for (int dy = -1; dy <= 1; dy++)
                            if (dx != 0 || dy != 0)
                                if (count(i, j, dx, dy) + 1 + count(i, j, -dx, -dy) >= k) ok = true;
        puts(ok ? "YES" : "NO");
    }
}
