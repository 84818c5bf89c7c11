#include "params.h"
#include "testlib.h"

int main() {
    long long count = 0, number = 0;
    std::cin >> count;
    for (long long i = 0; i < count; i++) std::cin >> number;
    end(std::cin && 1 <= count && count <= N_MAX ? 0 : 3, "looked at");
}
