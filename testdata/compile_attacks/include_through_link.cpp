// attack: includes an answer through a folder that is a link
// expect: the sandbox refused `out/secret/1.ans`
#include "out/secret/1.ans"
int main() {}
