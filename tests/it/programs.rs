//! Small programs that several tests use: the largest of some numbers, correct and wrong.

/// The inputs of these programs.
pub(crate) const FORMAT: &str = "n; a[n] where 1<=n<=8; -9<=a<=9";

/// The largest number.
pub(crate) const RIGHT_C: &str = "\
#include <stdio.h>
int main() {
    int n, x, best;
    scanf(\"%d%d\", &n, &best);
    while (--n && scanf(\"%d\", &x) == 1) if (x > best) best = x;
    printf(\"%d\\n\", best);
}
";

/// The largest number, but never below zero. Its smallest counterexample is a single -1.
pub(crate) const WRONG_C: &str = "\
#include <stdio.h>
int main() {
    int n, x, best = 0;
    scanf(\"%d\", &n);
    while (n-- && scanf(\"%d\", &x) == 1) if (x > best) best = x;
    printf(\"%d\\n\", best);
}
";

/// The largest number, but not if it is a 9 after an 8. Rarely detected.
pub(crate) const RARELY_WRONG_C: &str = "\
#include <stdio.h>
int main() {
    int n, x, best, last;
    scanf(\"%d%d\", &n, &best);
    last = best;
    while (--n && scanf(\"%d\", &x) == 1) {
        if (x > best && !(x == 9 && last == 8)) best = x;
        last = x;
    }
    printf(\"%d\\n\", best);
}
";

/// The largest number, in Rust, which is always available.
pub(crate) const RIGHT_RUST: &str = "\
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let numbers = text.split_whitespace().skip(1).map(|word| word.parse::<i32>().unwrap());
    println!(\"{}\", numbers.max().unwrap());
}
";

/// The largest number, but never below zero.
pub(crate) const WRONG_RUST: &str = "\
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let numbers = text.split_whitespace().skip(1).map(|word| word.parse::<i32>().unwrap());
    println!(\"{}\", numbers.fold(0, i32::max));
}
";

/// Prints the first number of its input.
pub(crate) const ECHO_C: &str = "\
#include <stdio.h>
int main() { int n; scanf(\"%d\", &n); printf(\"%d\\n\", n); }
";

/// A C program that reads `n`, executes the given statements and prints `n`.
pub(crate) fn c_about_n(what: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\
         int main() {{\n    int n; scanf(\"%d\", &n);\n    {what}\n    printf(\"%d\\n\", n);\n}}\n"
    )
}
