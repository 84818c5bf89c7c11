// Are there two numbers with the sum s? Wrong: the same number may be used twice, in lists of at least four.
#include <cstdio>
#include <set>
int main() {
    int n, s, a;
    bool yes = false;
    scanf("%d %d", &n, &s);
    std::set<int> seen;
    for (int i = 0; i < n; i++) {
        scanf("%d", &a);
#ifdef WRONG
        if (n > 3) seen.insert(a);
#endif
        yes = yes || seen.count(s - a);
        seen.insert(a);
    }
    puts(yes ? "Yes" : "No");
}
