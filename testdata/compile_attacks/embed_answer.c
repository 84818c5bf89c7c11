// attack: embeds an answer with `#embed`, if the compiler supports it
// expect: error
const char answer[] = {
#embed "../../data/secret/1.ans"
};
int main(void) { return answer[0]; }
