// The lowest common ancestors of pairs, by walking up.
#include <bits/stdc++.h>
using namespace std;

int up[18][200001], depth_of[200001];

int main() {
    int n, q;
    scanf("%d %d", &n, &q);
    for (int v = 2; v <= n; v++) scanf("%d", &up[0][v]), depth_of[v] = depth_of[up[0][v]] + 1;
    for (int k = 1; k < 18; k++)
        for (int v = 1; v <= n; v++) up[k][v] = up[k - 1][up[k - 1][v]];
    long long sum = 0;
    while (q--) {
        int u, v;
        scanf("%d %d", &u, &v);
#ifdef SLOW
        while (u != v) {
            if (depth_of[u] < depth_of[v]) swap(u, v);
            u = up[0][u];
        }
#else
        if (depth_of[u] < depth_of[v]) swap(u, v);
        for (int k = 17; k >= 0; k--)
            if (depth_of[u] - (1 << k) >= depth_of[v]) u = up[k][u];
        for (int k = 17; k >= 0; k--)
            if (up[k][u] != up[k][v]) u = up[k][u], v = up[k][v];
        if (u != v) u = up[0][u];
#endif
        sum += u;
    }
    printf("%lld\n", sum);
}
