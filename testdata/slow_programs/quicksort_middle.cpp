// A quicksort that splits at the middle number.
#include <bits/stdc++.h>
using namespace std;

vector<int> a;

void sort_range(int from, int to) {
    while (from < to) {
        int pivot = a[(from + to) / 2], i = from, j = to;
        while (i <= j) {
            while (a[i] < pivot) i++;
            while (a[j] > pivot) j--;
            if (i <= j) swap(a[i++], a[j--]);
        }
        if (j - from < to - i) sort_range(from, j), from = i;
        else sort_range(i, to), to = j;
    }
}

int main() {
    int n;
    scanf("%d", &n);
    a.resize(n);
    for (int &x : a) scanf("%d", &x);
#ifdef SLOW
    sort_range(0, n - 1);
#else
    sort(a.begin(), a.end());
#endif
    printf("%d\n", a[n / 2]);
}
