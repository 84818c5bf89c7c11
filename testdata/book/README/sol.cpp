#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, sum;
    cin >> n >> sum;
    vector<int> coins(n);
    for (int& coin : coins) cin >> coin;
    sort(coins.rbegin(), coins.rend());
    int used = 0;
    for (int coin : coins) used += sum / coin, sum %= coin;
    cout << used << '\n';
}
