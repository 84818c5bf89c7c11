// Counts different places in a table of lists, by the hash 31 * x + y.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, count = 0;
    scanf("%d", &n);
#ifdef SLOW
    vector<vector<pair<int, int>>> table(1 << 17);
#else
    set<pair<int, int>> places;
#endif
    while (n--) {
        int x, y;
        scanf("%d %d", &x, &y);
#ifdef SLOW
        auto &list = table[(31u * x + y) % (1 << 17)];
        if (find(list.begin(), list.end(), make_pair(x, y)) == list.end()) list.push_back({x, y}), count++;
#else
        count += places.insert({x, y}).second;
#endif
    }
    printf("%d\n", count);
}
