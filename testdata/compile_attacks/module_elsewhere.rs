// attack: includes an answer as a module
// expect: the sandbox refused `../../data/secret/1.ans`
#[path = "../../data/secret/1.ans"]
mod answer;
fn main() {}
