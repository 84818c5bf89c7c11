// attack: includes the passwords of the host in the program
// expect: the sandbox refused `/etc/shadow`
fn main() {
    println!("{}", include_bytes!("/etc/shadow").len());
}
