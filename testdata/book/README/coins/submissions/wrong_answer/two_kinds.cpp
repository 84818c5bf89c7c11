#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, sum;
    cin >> n >> sum;
    vector<int> coins(n);
    for (int& coin : coins) cin >> coin;
    int fewest = sum;
    for (int a : coins)
        for (int b : coins)
            for (int used = 0; used * a <= sum; used++)
                if ((sum - used * a) % b == 0) fewest = min(fewest, used + (sum - used * a) / b);
    cout << fewest << '\n';
}
