//! `rebut shrink` on failing files.

use crate::environment::Folder;
use crate::programs::{ECHO_C, FORMAT, RIGHT_C, WRONG_C};

/// Finds a 7 in front of a 3.
const SEVEN_BEFORE_THREE: &str = "\
#include <stdio.h>
int main() {
    int n, x, seven = 0, found = 0;
    scanf(\"%d\", &n);
    while (n-- && scanf(\"%d\", &x) == 1) {
        if (x == 7) seven = 1;
        if (x == 3 && seven) found = 1;
    }
    puts(found ? \"YES\" : \"NO\");
}
";

const NEVER: &str = "#include <stdio.h>\nint main() { puts(\"NO\"); }\n";

const LARGE: &str = "n; a[n] where 1<=n<=10^5; 0<=a<=10^9";

/// Returns a large file with one 7 far in front of one 3.
fn large() -> String {
    let number = |i: u64| match i {
        31_234 => 7,
        88_001 => 3,
        i => 10 + i * 7_919 % 999_999_937,
    };
    let numbers: Vec<String> = (1..=100_000).map(|i| number(i).to_string()).collect();
    format!("100000\n{}\n", numbers.join(" "))
}

#[test]
fn hundred_thousand_numbers_shrink_to_two() {
    let folder = Folder::new().file("sol.c", NEVER).file("brute.c", SEVEN_BEFORE_THREE).file("large.in", large());
    let shrink = format!("shrink large.in sol.c --reference brute.c --input '{LARGE}' --shrink-time 100s --certify 0s");
    folder.rebut(&shrink).exits(1).shows_all(&["FAIL  sol.c: wrong answer", "2 | 7 3"]);
    assert_eq!(folder.finding().read("input.txt"), "2\n7 3\n");
    assert_eq!(folder.finding().read("original.txt"), large());
    folder.finding().replay().exits(1);
}

#[test]
fn file_can_be_read_from_stdin() {
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C);
    let shrink = format!("shrink - sol.c --input '{FORMAT}'");
    folder.typed(&shrink).input("5\n-3 -4 -5 -9 -9\n").run().exits(1);
    assert_eq!(folder.finding().read("input.txt"), "1\n-1\n");
}

#[test]
fn lines_and_tokens_are_removed_without_a_format() {
    let folder = Folder::new()
        .file("sol.c", NEVER)
        .file(
            "brute.c",
            "#include <stdio.h>\n#include <string.h>\nint main() { char s[99]; int f = 0; \
            while (scanf(\"%98s\", s) == 1) f |= !strcmp(s, \"needle\"); puts(f ? \"YES\" : \"NO\"); }\n",
        )
        .file("in", "some hay\nmore hay needle hay\n\nhay\n");
    folder.rebut("shrink in sol.c --reference brute.c").exits(1);
    assert_eq!(folder.finding().read("input.txt").trim(), "needle");
}

#[test]
fn passing_file_cannot_be_shrunk() {
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file("in", "2\n3 4\n");
    let shrink = format!("shrink in sol.c --input '{FORMAT}'");
    folder.rebut(&shrink).exits(2).shows_all(&["does not fail on `in`", "nothing to shrink"]);
}

#[test]
fn invalid_file_is_refused_with_a_place() {
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file("in", "2\n3 400\n");
    let shrink = format!("shrink in sol.c --input '{FORMAT}'");
    folder.rebut(&shrink).exits(2).shows_all(&["`in` is not a valid input", "in:2:3", "400", "^"]);
    assert!(folder.names("findings").is_empty());
}

#[test]
fn failure_of_the_reference_is_shrunk() {
    let folder = Folder::new()
        .file("sol.c", ECHO_C)
        .file("brute.c", "#include <stdio.h>\nint main() { int n; scanf(\"%d\", &n); return n > 4; }\n")
        .file("in", "77\n");
    folder.rebut("shrink in sol.c --reference brute.c --input 'n where 1<=n<=99'").exits(3);
    assert_eq!(folder.finding().read("input.txt"), "5\n");
}
