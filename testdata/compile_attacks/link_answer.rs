// attack: links an answer as a library
// expect: error
#[link(name = ":../../data/secret/1.ans", kind = "dylib")]
unsafe extern "C" {}
fn main() {}
