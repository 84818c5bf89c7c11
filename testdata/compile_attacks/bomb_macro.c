// attack: expands a macro into more tokens than fit into memory
// expect: compiling was stopped
#define A 1,1,1,1,1,1,1,1,1,1
#define B A,A,A,A,A,A,A,A,A,A
#define C B,B,B,B,B,B,B,B,B,B
#define D C,C,C,C,C,C,C,C,C,C
#define E D,D,D,D,D,D,D,D,D,D
#define F E,E,E,E,E,E,E,E,E,E
#define G F,F,F,F,F,F,F,F,F,F
#define H G,G,G,G,G,G,G,G,G,G
int all[] = {H, H, H, H, H, H, H, H};
int main(void) { return 0; }
