// attack: embeds an answer, where the compiler knows how
// expect: error
const char answer[] = {
#embed "../../data/secret/1.ans"
};
int main(void) { return answer[0]; }
