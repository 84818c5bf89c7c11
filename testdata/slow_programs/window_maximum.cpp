// The maximum of each window, looked for again when the last one has left it.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, k;
    scanf("%d %d", &n, &k);
    vector<int> a(n);
    for (int &x : a) scanf("%d", &x);
    long long sum = 0;
#ifdef SLOW
    int top = -1;
    for (int i = 0; i < n; i++) {
        if (top < 0 || a[i] >= a[top]) top = i;
        if (top + k <= i) {
            top = i - k + 1;
            for (int j = top; j <= i; j++)
                if (a[j] >= a[top]) top = j;
        }
        if (i >= k - 1) sum += a[top];
    }
#else
    deque<int> tops;
    for (int i = 0; i < n; i++) {
        while (!tops.empty() && a[tops.back()] <= a[i]) tops.pop_back();
        tops.push_back(i);
        if (tops.front() + k <= i) tops.pop_front();
        if (i >= k - 1) sum += a[tops.front()];
    }
#endif
    printf("%lld\n", sum);
}
