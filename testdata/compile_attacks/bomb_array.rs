// attack: makes a program of 4 GB
// expect: compiling was stopped
static ALL: [u64; 1 << 29] = [1; 1 << 29];
fn main() {
    println!("{}", ALL[std::env::args().count()]);
}
