#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, sum;
    cin >> n >> sum;
    vector<int> coins(n), fewest(sum + 1, sum);
    for (int& coin : coins) cin >> coin;
    fewest[0] = 0;
    for (int amount = 1; amount <= sum; amount++)
        for (int coin : coins)
            if (coin <= amount) fewest[amount] = min(fewest[amount], fewest[amount - coin] + 1);
    cout << fewest[sum] << '\n';
}
