//! Minimality is proved, or the report states how far the proof came.

use crate::environment::Folder;

/// Prints whether two adjacent numbers are the given ones.
pub(crate) fn pair(first: i32, second: i32) -> String {
    format!(
        "#include <stdio.h>\nint main() {{\n    int n, x, last = -1, found = 0;\n    scanf(\"%d\", &n);\n    \
         while (n--) {{\n        scanf(\"%d\", &x);\n        found |= last == {first} && x == {second};\n        last = x;\n    \
         }}\n    puts(found ? \"YES\" : \"NO\");\n}}\n"
    )
}

pub(crate) const NEVER: &str = "#include <stdio.h>\nint main() { puts(\"NO\"); }\n";

pub(crate) const FORMAT: &str = "n; a[n] where 1<=n<=6; 0<=a<=3";

#[test]
fn proof_counts_the_smaller_inputs() {
    let folder = Folder::new().file("sol.c", NEVER).file("brute.c", pair(2, 1));
    // Inputs of one number: 4. Of two: those with a smaller sum, 1 + 2 + 3; and 0 3, the first with the sum three, and
    // 1 2.
    let messages = ["smallest possible: all 12 smaller inputs pass", "2 | 2 1"];
    folder.rebut(&format!("stress sol.c --input '{FORMAT}' --certify 60s")).exits(1).shows_all(&messages);
    let certificate = folder.finding().record()["certificate"].clone();
    assert_eq!((&certificate["inputs"], &certificate["complete"]), (&12.into(), &true.into()));
    assert!(folder.finding().read("README.md").contains("all 12 smaller inputs pass"));
    let again = format!("replay {} --certify 60s", folder.finding().name);
    folder.rebut(&again).exits(1).shows("smallest possible: all 12 smaller inputs pass");
    // A submission that is wrong on that input and on smaller ones.
    folder.write("sol.c", "#include <stdio.h>\nint main() { puts(\"MAYBE\"); }\n");
    let ran = folder.rebut(&again).exits(1);
    ran.shows_all(&["a smaller input also fails", "  a smaller input that also fails\n   1 | 1\n   2 | 0\n"])
        .hides("␊");
}

#[test]
fn proof_leaves_a_local_minimum_of_shrinking() {
    // Both numbers have to be equal, and two pairs fail: no single step leads from one to the other.
    let either = pair(3, 3).replace("found |=", "found |= last == 0 && x == 0 && n == 3 ||");
    let folder = Folder::new().file("sol.c", NEVER).file("brute.c", either).file("large.in", "6\n0 0 1 2 3 3\n");
    let shrink = format!("shrink large.in sol.c --reference brute.c --input '{FORMAT}' --certify 60s");
    folder.rebut(&shrink).exits(1).shows_all(&["smallest possible", "2 | 3 3"]);
}

#[test]
fn proof_packs_cases() {
    let cases = |text: &str| text.replace("scanf(\"%d\", &n);", "scanf(\"%d\", &t); while (t--) { scanf(\"%d\", &n);");
    let source = |text: &str| {
        cases(text)
            .replace("last = -1, found = 0;", "t; ")
            .replace("while (n--) {", "int last = -1, found = 0; while (n--) {")
    };
    let brute = source(&pair(2, 1)).replace("\"NO\");\n}", "\"NO\"); }\n}");
    let wrong = source(&pair(9, 9)).replace("\"NO\");\n}", "\"NO\"); }\n}");
    let folder = Folder::new().file("sol.c", wrong).file("brute.c", brute);
    let messages = ["smallest possible: all ", "2 | 2\n   3 | 2 1"];
    let format = "T; cases T: n; a[n] where 1<=T<=9; 1<=n<=6; 0<=a<=3";
    folder.rebut(&format!("stress sol.c --input '{format}' --certify 60s")).exits(1).shows_all(&messages);
}

#[test]
fn proof_can_be_disabled() {
    let folder = Folder::new().file("sol.c", NEVER).file("brute.c", pair(2, 1));
    folder.rebut(&format!("stress sol.c --input '{FORMAT}' --certify 0s")).exits(1).hides("possible");
}

/// Inputs are tried sixteen at a time here, but a slow program is not run on all of them after its time is over.
#[test]
fn proof_of_a_slow_program_ends_in_time() {
    let slow = "#include <stdio.h>\n#include <unistd.h>\nint main() { int a; scanf(\"%d\", &a); usleep(50000); \
                printf(\"%d\\n\", a >= 60 ? 0 : a); }\n";
    let folder =
        Folder::new().file("sol.c", slow).file("brute.c", slow.replace("a >= 60", "0")).file("large.in", "60\n");
    let typed = "shrink large.in sol.c --reference brute.c --jobs 1 --certify 80ms";
    folder.typed(typed).argument("--input").argument("a where 1<=a<=100").run().exits(1).hides("smallest possible");
    let inputs = folder.finding().record()["certificate"]["inputs"].as_u64().unwrap();
    assert!((1..=2).contains(&inputs), "{inputs}");
}

#[test]
fn exhaustive_search_tries_every_input() {
    let folder = Folder::new().file("sol.c", pair(2, 1)).file("brute.c", pair(2, 1));
    // 4 + 16 + 64 arrays.
    let all = format!("stress sol.c --input '{FORMAT}' --exhaustive --where 'n <= 3'");
    folder.rebut(&all).exits(0).shows("OK  all 84 inputs agree");
    folder
        .rebut(&format!("stress sol.c --input '{FORMAT}' --exhaustive --let n=2"))
        .exits(0)
        .shows("all 16 inputs agree");
    folder.rebut(&format!("{all} --cases 10")).exits(0).shows("nothing found: 10 cases");
    folder.rebut("stress sol.c --exhaustive --generator 'echo 1'").exits(2);
}

#[test]
fn exhaustive_search_packs_cases() {
    let wrong = "#include <stdio.h>\nint main() { int t, a, b; scanf(\"%d\", &t); while (t--) { scanf(\"%d %d\", &a, &b); \
                 printf(\"%d\\n\", LIE a + b); } }\n";
    let folder = Folder::new()
        .file("brute.c", wrong.replace("LIE", ""))
        .file("right.c", wrong.replace("LIE", ""))
        .file("sol.c", wrong.replace("LIE", "a == 7 && b == 9 ? 0 :"));
    let format = "T; cases T: a b where 1<=T<=100; 0<=a,b<=9";
    let all = format!("--input '{format}' --exhaustive");
    folder.rebut(&format!("stress right.c {all}")).exits(0).shows("OK  all 100 inputs of one case agree");
    folder.rebut(&format!("stress sol.c {all} --certify 60s")).exits(1).shows_all(&["2 | 7 9", "smallest possible"]);
}

/// Without a repetition of cases only, files are not packed, and inputs of several cases are tried one by one.
#[test]
fn unpacked_search_tries_every_number_of_cases() {
    let text = "#include <stdio.h>\nint main() { int t, k, a, last = 0; scanf(\"%d %d\", &t, &k); while (t--) { \
                scanf(\"%d\", &a); printf(\"%d\\n\", LIE a + k); last = a; } }\n";
    let folder = Folder::new()
        .file("brute.c", text.replace("LIE", ""))
        .file("right.c", text.replace("LIE", ""))
        .file("leak.c", text.replace("LIE", "last == 2 && a == 2 ? 0 :"));
    let all = "--input 'T k; cases T: a where 1<=T<=3; k = 1; 1<=a<=2' --exhaustive";
    folder.rebut(&format!("stress right.c {all}")).exits(0).shows("OK  all 14 inputs agree");
    folder.rebut(&format!("stress leak.c {all}")).exits(1).shows_all(&["1 | 2 1", "smallest possible"]);
}

/// Adds two numbers in each case. `lie` is the expression that replaces the sum in some of them.
fn sums(lie: &str) -> String {
    let text = "#include <stdio.h>\nint main() { int t, a, b, last = 0; scanf(\"%d\", &t); while (t--) { scanf(\"%d %d\", \
                &a, &b); printf(\"%d\\n\", LIE a + b); last = a; } }\n";
    text.replace("LIE", lie)
}

#[test]
fn finding_of_an_exhaustive_search_is_the_smallest() {
    let folder = Folder::new()
        .file("brute.c", sums(""))
        .file("early.c", sums("a == 0 && b == 1 ? 9 :"))
        .file("late.c", sums("a + b > 11 ? 0 :"))
        .file("crash.c", sums("a == 5 && b == 6 ? *(volatile int *)0 :"))
        .file("leak.c", sums("last == 1 ? 7 :"))
        .file("right.c", sums(""));
    // One or two cases in a file, and a file of two is an input of five elements: the search is over single cases, and
    // the proof over two.
    let format = "T; cases T: a b where 1<=T<=2; 0<=a,b<=9";
    let all = "early.c late.c crash.c leak.c right.c --exhaustive --certify 60s";
    let messages = [
        "smallest possible: the only smaller input passes",
        "2 | 0 1",
        // Of one case: sums up to ten; and of the sum eleven 2 9, 3 8 and 4 7.
        "smallest possible: all 67 smaller inputs pass",
        "2 | 5 6",
        // Sums up to eleven, and 3 9 is the first of the sum twelve.
        "smallest possible: all 72 smaller inputs pass",
        "2 | 3 9",
        // All inputs of one case; and of two, the sum 0, and all but two of the sum 1.
        "smallest possible: all 104 smaller inputs pass",
        "cases passes alone",
        "nothing found for  right.c",
        "passing  all 100 inputs of one case",
    ];
    folder.rebut(&format!("stress {all} --input '{format}'")).exits(1).shows_all(&messages);
}

/// Prints the largest sum of adjacent numbers of each case, which can be empty. `BUG` makes it wrong in places.
const LARGEST: &str = r#"#include <stdio.h>
#include <stdlib.h>
long long best;
int main(void) {
    int T;
    scanf("%d", &T);
    for (int t = 1; t <= T; t++) {
        int n;
        long long run = -1000000000000000000LL, add = 0;
        FIRST
        scanf("%d", &n);
        for (int i = 0; i < n; i++) {
            long long a;
            scanf("%lld", &a);
            run = (run > 0 ? run : 0) + a;
            if (run > best) best = run;
        }
        LAST
        printf("%lld\n", best + add);
    }
}
"#;

fn largest(first: &str, last: &str) -> String {
    LARGEST.replace("FIRST", first).replace("LAST", last)
}

/// Bugs that show only at some positions of a case or for some numbers of cases: files of many cases hide them.
fn position_bugs() -> Vec<(&'static str, String, &'static str)> {
    let reset = "best = -1000000000000000000LL;";
    let with = |condition: &str| largest(reset, &format!("if ({condition}) add = 1;"));
    vec![
        // A global that is set only at the end of each case: the first case starts with 0.
        (
            "global",
            largest("", "").replace("printf(\"%lld\\n\", best + add);", &format!("printf(\"%lld\\n\", best); {reset}")),
            "1 | 1\n       2 | 1\n       3 | -1",
        ),
        ("first", with("t == 1"), "1 | 1\n       2 | 1\n       3 | 0"),
        ("last", with("t == T"), "1 | 1\n       2 | 1\n       3 | 0"),
        ("alone", with("T == 1"), "1 | 1\n       2 | 1\n       3 | 0"),
        ("few", with("T < 5 && best == 1"), "1 | 1\n       2 | 1\n       3 | 1"),
    ]
}

const LARGEST_FORMAT: &str = "T; cases T: n; a[n] where 1<=T<=100; 1<=n<=3; -3<=a<=3";

#[test]
fn exhaustive_search_runs_each_input_alone() {
    let reset = "best = -1000000000000000000LL;";
    for (name, source, smallest) in position_bugs() {
        let folder = Folder::new().file("sol.c", source).file("brute.c", largest(reset, ""));
        for engine in ["auto", "exec"] {
            let typed = format!(
                "stress sol.c --input '{LARGEST_FORMAT}' --exhaustive --time 60s --certify 60s --engine {engine}"
            );
            let shown = folder.rebut(&typed).exits(1);
            shown.shows(smallest);
            assert!(!name.is_empty());
        }
    }
    let folder = Folder::new().file("sol.c", largest(reset, "")).file("brute.c", largest(reset, ""));
    folder
        .rebut(&format!("stress sol.c --input '{LARGEST_FORMAT}' --exhaustive --time 60s"))
        .exits(0)
        .shows("OK  all 399 inputs of one case agree")
        .hides("assuming");
}

#[test]
fn proof_runs_each_smaller_input_alone() {
    let reset = "best = -1000000000000000000LL;";
    for (_, source, smallest) in position_bugs() {
        let folder = Folder::new().file("sol.c", source).file("brute.c", largest(reset, ""));
        for seed in 1..=3 {
            let typed = format!("stress sol.c --input '{LARGEST_FORMAT}' --seed {seed} --certify 60s");
            folder.rebut(&typed).exits(1).shows_all(&["smallest possible", smallest]).hides("likely");
        }
    }
}

#[test]
fn assumption_of_a_proof_is_stated() {
    // Far more smaller inputs than can be run alone in the time, and few when many cases share a file.
    let wrong = "#include <stdio.h>\n#include <unistd.h>\nint main() { int t, a, b; scanf(\"%d\", &t); usleep(20000); \
                 while (t--) { scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", LIE a + b); } }\n";
    let folder = Folder::new()
        .file("brute.c", wrong.replace("LIE", ""))
        .file("sol.c", wrong.replace("LIE", "a + b >= 80 ? 0 :"))
        .file("large.in", "1\n40 70\n");
    let format = "T; cases T: a b where 1<=T<=1000; 0<=a,b<=100";
    let typed = format!("shrink large.in sol.c --reference brute.c --input '{format}' --certify 5s");
    folder.rebut(&typed).exits(1).shows("likely the smallest: all ");
    assert!(folder.finding().read("README.md").contains("assuming that cases are independent"));
    let certificate = folder.finding().record()["certificate"].clone();
    assert_eq!((&certificate["kind"], &certificate["complete"]), (&"packed".into(), &true.into()));
    let number = |key: &str| certificate[key].as_u64().unwrap();
    assert!(number("run_alone") < number("inputs"), "{certificate}");
}

/// Wrong only in the first case of a file: files of many cases prove nothing about the others.
#[test]
fn cases_are_not_assumed_to_be_independent_of_their_place() {
    let wrong = "#include <stdio.h>\n#include <unistd.h>\nint main() { int t, a, b, first = 1; scanf(\"%d\", &t); usleep(20000); \
                 while (t--) { scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", LIE a + b); first = 0; } }\n";
    let folder = Folder::new()
        .file("brute.c", wrong.replace("LIE", ""))
        .file("sol.c", wrong.replace("LIE", "first && a + b >= 80 ? 0 :"))
        .file("large.in", "1\n40 70\n");
    let format = "T; cases T: a b where 1<=T<=1000; 0<=a,b<=100";
    let typed = format!("shrink large.in sol.c --reference brute.c --input '{format}' --certify 2s");
    folder.rebut(&typed).exits(1).hides("likely the smallest");
}
