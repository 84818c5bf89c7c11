// attack: tests whether a file exists at compile time
// expect: error
#if __has_include("../../data/secret/1.ans")
#include "../../data/secret/1.ans"
#else
#error there is no answer
#endif
int main() {}
