// Do two rectangles meet? Wrong: not if they meet in one corner only.
#include <algorithm>
#include <cstdio>
int main() {
    long long a, b, c, d, e, f, g, h;
    scanf("%lld %lld %lld %lld %lld %lld %lld %lld", &a, &b, &c, &d, &e, &f, &g, &h);
    long long width = std::min(c, g) - std::max(a, e), height = std::min(d, h) - std::max(b, f);
    bool yes = width >= 0 && height >= 0;
#ifdef WRONG
    if (width == 0 && height == 0) yes = false;
#endif
    puts(yes ? "Yes" : "No");
}
