// attack: has the assembler put an answer into the program
// expect: error
std::arch::global_asm!(".data\nanswer: .incbin \"../../data/secret/1.ans\"\n");
fn main() {}
