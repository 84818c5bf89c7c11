// Twice the area of the convex hull, by walking around it.
#include <bits/stdc++.h>
using namespace std;

typedef long long ll;
typedef pair<ll, ll> Point;

ll turn(Point a, Point b, Point c) {
    return (b.first - a.first) * (c.second - a.second) - (b.second - a.second) * (c.first - a.first);
}

int main() {
    int n;
    scanf("%d", &n);
    vector<Point> p(n), hull;
    for (auto &[x, y] : p) scanf("%lld %lld", &x, &y);
#ifdef SLOW
    auto length = [](Point a, Point b) { return abs(a.first - b.first) + abs(a.second - b.second); };
    Point start = *min_element(p.begin(), p.end()), at = start;
    do {
        hull.push_back(at);
        Point next = p[0] == at ? p[1] : p[0];
        for (Point q : p) {
            ll side = turn(at, next, q);
            if (side < 0 || (side == 0 && length(at, q) > length(at, next))) next = q;
        }
        at = next;
    } while (at != start);
#else
    sort(p.begin(), p.end());
    for (int side = 0; side < 2; side++) {
        size_t base = hull.size();
        for (Point q : p) {
            while (hull.size() >= base + 2 && turn(hull[hull.size() - 2], hull.back(), q) <= 0) hull.pop_back();
            hull.push_back(q);
        }
        hull.pop_back();
        reverse(p.begin(), p.end());
    }
#endif
    ll area = 0;
    for (size_t i = 1; i + 1 < hull.size(); i++) area += turn(hull[0], hull[i], hull[i + 1]);
    printf("%lld\n", area);
}
