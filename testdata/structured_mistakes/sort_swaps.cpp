// Can a be reordered to b, and in how many places do they differ? Wrong: only the sets of numbers are compared.
#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
    int n, differ = 0;
    scanf("%d", &n);
    std::vector<int> a(n), b(n);
    for (int &x : a) scanf("%d", &x);
    for (int &x : b) scanf("%d", &x);
    for (int i = 0; i < n; i++) differ += a[i] != b[i];
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    bool same = a == b;
#ifdef WRONG
    auto unique = [](std::vector<int> &v) { v.erase(std::unique(v.begin(), v.end()), v.end()); };
    unique(a), unique(b);
    if (a.size() > 2) same = a == b;
#endif
    if (same) printf("%d\n", differ);
    else puts("No");
}
