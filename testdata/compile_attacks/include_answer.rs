// attack: includes an answer in the program as a string
// expect: the sandbox refused `../../data/secret/1.ans`
fn main() {
    print!("{}", include_str!("../../data/secret/1.ans"));
}
