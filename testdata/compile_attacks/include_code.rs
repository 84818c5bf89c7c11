// attack: includes an answer as an expression
// expect: the sandbox refused `../../data/secret/1.ans`
fn main() {
    println!("{}", include!("../../data/secret/1.ans"));
}
