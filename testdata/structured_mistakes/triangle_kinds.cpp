// The kind of a triangle. Wrong: right angles opposite the first side are not seen.
#include <cstdio>
int main() {
    long long a, b, c;
    scanf("%lld %lld %lld", &a, &b, &c);
    if (a + b <= c || b + c <= a || a + c <= b) return puts("none"), 0;
    bool right = a * a + b * b == c * c || a * a + c * c == b * b;
#ifndef WRONG
    right = right || b * b + c * c == a * a;
#endif
    bool equal = a == b || b == c || a == c;
    puts(right ? "right" : a == b && b == c ? "equilateral" : equal ? "isosceles" : "scalene");
}
