// attack: makes the assembler include an answer in the program
// expect: error
std::arch::global_asm!(".data\nanswer: .incbin \"../../data/secret/1.ans\"\n");
fn main() {}
