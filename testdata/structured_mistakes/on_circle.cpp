// Is the point within the circle around the origin? Wrong: not if it lies on it, away from the axes and far from the origin.
#include <cstdio>
int main() {
    long long x, y, r;
    scanf("%lld %lld %lld", &x, &y, &r);
    bool yes = x * x + y * y <= r * r;
#ifdef WRONG
    if (x * x + y * y == r * r && x && y) yes = false;
#endif
    puts(yes ? "Yes" : "No");
}
