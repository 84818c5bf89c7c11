//! `rebut hack` prints an input that can be pasted.

use crate::environment::Folder;
use crate::programs::{RIGHT_C, WRONG_C};

/// Prints the sum of two numbers for each case, but 0 where it is at least 15.
const SUMS: &str = "#include <stdio.h>\nint main() { int t, a, b; scanf(\"%d\", &t); while (t--) { \
                    scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", LIE a + b); } }\n";

#[test]
fn standard_output_is_the_input_alone() {
    let folder =
        Folder::new().file("sol.c", SUMS.replace("LIE", "a + b >= 15 ? 0 :")).file("brute.c", SUMS.replace("LIE", ""));
    let format = "T; cases T: a b where 2<=T<=5; 0<=a,b<=9";
    let ran = folder.rebut(&format!("hack sol.c brute.c --input '{format}' --seed 1 --cases 100 --certify 0s"));
    // At least two cases are asked for, so one of them is there for that only.
    assert_eq!(ran.exits(1).shows("FAIL  sol.c: wrong answer").stdout, "2\n0 0\n6 9\n");
}

#[test]
fn nothing_is_printed_if_nothing_fails() {
    let folder = Folder::new().file("sol.c", RIGHT_C).file("brute.c", RIGHT_C);
    let ran = folder.rebut("hack sol.c brute.c --input 'n; a[n] where 1<=n<=8; -9<=a<=9' --seed 1 --cases 20");
    assert_eq!(ran.exits(0).shows("OK  nothing found").stdout, "");
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C);
    let ran = folder.rebut("hack sol.c brute.c --input 'n; a[n] where 1<=n' --cases 20");
    assert_eq!(ran.exits(2).stdout, "");
}
