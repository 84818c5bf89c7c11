// attack: has too many errors to read
// expect: compiling was stopped
#define A x y;
#define B A A A A A A A A A A
#define C B B B B B B B B B B
#define D C C C C C C C C C C
#define E D D D D D D D D D D
#define F E E E E E E E E E E
#define G F F F F F F F F F F
G G G G G G G G
int main(void) { return 0; }
