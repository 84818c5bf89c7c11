// attack: looks whether a file can be read, to have its existence in the program
// expect: error
#if __has_include("../../data/secret/1.ans")
#include "../../data/secret/1.ans"
#else
#error there is no answer
#endif
int main() {}
