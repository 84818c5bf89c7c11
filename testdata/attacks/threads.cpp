// attack: computes in many threads
// expect: TLE
#include <thread>
#include <vector>
int main() {
    std::vector<std::thread> all;
    for (int i = 0; i < 8; i++) all.emplace_back([] { for (volatile long x = 0;; x = x + 1) {} });
    for (auto &one : all) one.join();
}
