// How many numbers of b are in a? Wrong: the largest number of a is not forgotten for the next case.
#include <algorithm>
#include <cstdio>
#include <vector>
bool has[1000001];
int main() {
    int t;
    scanf("%d", &t);
    while (t--) {
        int n, m, count = 0;
        scanf("%d %d", &n, &m);
        std::vector<int> a(n);
        for (int &x : a) scanf("%d", &x), has[x] = true;
        while (m--) {
            int x;
            scanf("%d", &x);
            count += has[x];
        }
        int largest = *std::max_element(a.begin(), a.end());
        for (int x : a) {
#ifdef WRONG
            if (x == largest && n > 5) continue;
#endif
            has[x] = false;
        }
        (void)largest;
        printf("%d\n", count);
    }
}
