//! Many test cases in one file: they are run and judged together, and located where they fail.

use crate::environment::Folder;

const FORMAT: &str = "T; cases T: n; a[n] where 1<=T<=40; 1<=n<=8; -9<=a<=9";

/// Prints the largest number of each case. The statements in `before_each` run before each case.
fn largest(before_each: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <time.h>\nint t, n, x, best = -100;\nint main() {{\n    scanf(\"%d\", &t);\n    \
         while (t--) {{\n        {before_each}\n        scanf(\"%d\", &n);\n        \
         while (n--) {{ scanf(\"%d\", &x); if (x > best) best = x; }}\n        printf(\"%d\\n\", best);\n    }}\n}}\n"
    )
}

/// Resets the state after some CPU time.
const SLOW: &str = "best = -100; for (clock_t end = clock() + CLOCKS_PER_SEC / 150; clock() < end;) {}";

#[test]
fn failure_caused_by_an_earlier_case_is_reported_as_state_leak() {
    let folder = Folder::new().file("sol.c", largest("")).file("brute.c", largest("best = -100;"));
    let messages = [
        "each of these 2 cases passes alone: state leaks between them, or input is left unread",
        "line 2, token 1: expected -1, found 0",
    ];
    folder.rebut(&format!("stress sol.c --input '{FORMAT}'")).exits(1).shows_all(&messages);
    assert_eq!(folder.finding().read("input.txt"), "2\n1\n0\n1\n-1\n");
    assert!(folder.finding().read("README.md").contains("each of these 2 cases passes alone"));
}

#[test]
fn failure_of_one_case_is_found_without_earlier_cases() {
    let folder = Folder::new().file("sol.c", largest("best = 0;")).file("brute.c", largest("best = -100;"));
    folder.rebut(&format!("stress sol.c --input '{FORMAT}'")).exits(1).hides("leaks");
    assert_eq!(folder.finding().read("input.txt"), "1\n1\n-1\n");
}

#[test]
fn number_of_cases_is_halved_if_the_reference_is_too_slow() {
    let folder = Folder::new().file("sol.c", largest("best = -100;")).file("brute.c", largest(SLOW));
    let stress = format!("stress sol.c --input '{FORMAT}' --seed 1 --cases 3 --reference-time 100ms");
    folder.rebut(&stress).exits(0).shows("OK  nothing found").hides("skipped");
}

#[test]
fn parts_of_a_slow_input_that_the_format_forbids_are_not_run() {
    // Most files have two or three cases, so that a half has a single one, which the submission answers wrongly.
    let program = |hangs: &str, if_single: &str| {
        format!(
            "#include <stdio.h>\nint main() {{ int t, n; scanf(\"%d\", &t); for (int i = 0; i < t; i++) {{ \
             scanf(\"%d\", &n); while ({hangs}); printf(\"%d\\n\", t < 2 ? {if_single} : n); }} }}\n"
        )
    };
    let folder = Folder::new().file("sol.c", program("0", "-1")).file("brute.c", program("n > 90", "n"));
    let stress =
        "stress sol.c --input 'T; cases T: n where 2<=T<=3; 1<=n<=99' --seed 1 --cases 60 --reference-time 100ms";
    folder.rebut(stress).exits(0).shows("OK  nothing found");
}

#[test]
fn cases_and_files_are_counted() {
    let folder = Folder::new().file("sol.c", largest("best = -100;")).file("brute.c", largest("best = -100;"));
    let ran = folder.rebut(&format!("stress sol.c --input '{FORMAT}' --seed 1 --cases 60 --json -")).exits(0);
    let number = |text: &str, key: &str| -> u64 {
        let at = text.rfind(&format!("\"{key}\":")).unwrap() + key.len() + 3;
        text[at..].chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
    };
    assert_eq!(number(&ran.stdout, "cases"), 60);
    assert!(number(&ran.stdout, "test_cases") > 600, "{}", ran.stdout);
}
