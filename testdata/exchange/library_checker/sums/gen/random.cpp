#include "../params.h"
#include "../lib/rows.h"
#include "random.h"
#include <cstdlib>

int main(int, char *argv[]) {
    Random random(std::atoll(argv[1]));
    std::vector<long long> row(1 + random.below(N_MAX < 10 ? N_MAX : 10));
    for (long long &number : row) number = random.below(100);
    print(row);
}
