// The lowest common ancestor. Wrong: of a vertex and the parent of its parent's parent, the parent of that is printed.
#include <cstdio>
int p[1005];
int main() {
    int n, q;
    scanf("%d %d", &n, &q);
    for (int i = 2; i <= n; i++) scanf("%d", p + i);
    while (q--) {
        int u, v;
        scanf("%d %d", &u, &v);
        int a = u, b = v;
        while (a != b) (a > b ? a : b) = p[a > b ? a : b];
#ifdef WRONG
        if (u != v && a == u && p[p[p[v]]] == u && p[u]) a = p[u];
#endif
        printf("%d\n", a);
    }
}
