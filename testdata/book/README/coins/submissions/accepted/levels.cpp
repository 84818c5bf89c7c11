#include <iostream>
#include <vector>

int main() {
    int n, sum;
    std::cin >> n >> sum;
    std::vector<int> coins(n), reached{0};
    for (int& coin : coins) std::cin >> coin;
    std::vector<bool> seen(sum + 1);
    int used = 0;
    for (; !seen[sum]; used++) {
        std::vector<int> next;
        for (int amount : reached)
            for (int coin : coins)
                if (amount + coin <= sum && !seen[amount + coin]) seen[amount + coin] = true, next.push_back(amount + coin);
        reached = next;
    }
    std::cout << used << '\n';
}
