// attack: includes an answer with a name from a macro
// expect: the sandbox refused `../../data/secret/1.ans`
#define FOLDER ../../data/secret
#define SPELT(x) #x
#define NAME(x) SPELT(x)
int answer =
#include NAME(FOLDER/1.ans)
;
int main() {}
