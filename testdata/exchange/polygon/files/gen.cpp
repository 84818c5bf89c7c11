#include "testlib.h"

int main(int, char *argv[]) {
    int seed = std::atoi(argv[1]), most = std::atoi(argv[2]);
    std::printf("%d %d\n", seed * 7 % (most + 1), seed * 11 % (most + 1));
}
