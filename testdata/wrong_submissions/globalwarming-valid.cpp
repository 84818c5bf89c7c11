// Friends of a friend are friends.
#include <iostream>
#include <vector>

int main() {
    int n, m;
    std::cin >> n >> m;
    std::vector<std::vector<bool>> friends(n + 1, std::vector<bool>(n + 1));
    for (int p, q, c; m-- && std::cin >> p >> q >> c;) friends[p][q] = friends[q][p] = true;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            for (int k = 1; friends[i][j] && k <= n; k++)
                if (friends[j][k] && i != k && !friends[i][k]) return 43;
    return 42;
}
