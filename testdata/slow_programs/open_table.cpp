// Counts different numbers in a table with linear probing and the last bits as the hash.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int &x : a) scanf("%d", &x);
#ifdef SLOW
    const int slots = 1 << 20;
    vector<int> table(slots);
    int count = 0;
    for (int x : a) {
        int slot = x & (slots - 1);
        while (table[slot] && table[slot] != x) slot = (slot + 1) & (slots - 1);
        if (!table[slot]) table[slot] = x, count++;
    }
#else
    sort(a.begin(), a.end());
    int count = unique(a.begin(), a.end()) - a.begin();
#endif
    printf("%d\n", count);
}
