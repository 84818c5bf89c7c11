// How often does t occur in s? Wrong: occurrences that overlap are skipped.
#include <iostream>
#include <string>
int main() {
    std::string s, t;
    std::cin >> s >> t;
    size_t step = 1, count = 0;
#ifdef WRONG
    step = t.size() > 2 ? t.size() : 1;
#endif
    for (size_t at = s.find(t); at != std::string::npos; at = s.find(t, at + step)) count++;
    std::cout << count << "\n";
}
