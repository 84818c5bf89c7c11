// attack: includes a secret of the environment in the program
// expect: environment variable `REBUT_TEST_SECRET` not defined
fn main() {
    println!("{}", env!("REBUT_TEST_SECRET"));
}
