// attack: includes an answer of the package
// expect: the sandbox refused `../../data/secret/1.ans`
int answer =
#include "../../data/secret/1.ans"
;
int main() {}
