//! Huge sizes: memory and time stay bounded for every size that a format, a package or a program announces.

use crate::environment::{Folder, installed};
use crate::programs::ECHO_C;
use rebut_diagnostics::SourceText;
use rebut_format::enumerate::count_inputs;
use rebut_format::explain::{ExplainOptions, explain_format};
use rebut_format::generate::GenerationPlan;
use rebut_format::language::{Format, StopToken};

/// Formats with sizes that multiply to more than any memory: elements, rows without elements, columns without rows,
/// lines, lengths.
const HUGE: &[&str] = &[
    "n m; b[n][m] where 1<=n,m<=10^18; b over \"ab\"",
    "n m; b[n][m] where 1<=n,m<=10^9; b over \"ab\"",
    "n m; b[n][m] where 0<=n<=1; 10^17<=m<=10^18; b over \"ab\"",
    "n m; b[n][m] where 10^17<=n<=10^18; 0<=m<=1; b over \"ab\"",
    "n m; V[n][m] where 10^9<=n,m<=10^18; 0<=V<=1",
    "n m; c[n][m][n] where 1<=n,m<=10^18; c over \"ab\"",
    "n; words[n][] where 1<=n<=10^18; words over \"ab\"; 0<=len(words)<=10^18",
    "n; rows[n][] where 10^9<=n<=10^18; 0<=rows<=1; 0<=len(rows)<=10^18",
    "n; a[n] where 1<=n<=10^36; 0<=a<=1; sum(a) <= 5",
    "n; a[n^2] where 1<=n<=10^18; 0<=a<=1",
    "n; repeat n: { m; a[m] } where 1<=n,m<=10^18; 0<=a<=1",
    "n; repeat n: x where 10^12<=n<=10^18; 0<=x<=1",
    "n m; repeat m: u v where 1<=n<=10^18; 0<=m<=10^18; edges (u, v) on 1..n: simple",
    "n; repeat n-1: u v where 10^9<=n<=10^18; edges (u, v) on 1..n: tree",
    "n; p[n-1] where 10^9<=n<=10^18; parents p of 2..n on 1..n: tree",
    "s where s over \"ab\"; 10^12<=len(s)<=10^18",
    "s where s matches \"(a|b)*c\"; 10^8<=len(s)<=10^18",
    "n; (x y)[n] where 10^12<=n<=10^18; 0<=x,y<=1",
    "n; p[n] where 10^9<=n<=10^18; p permutation of 1..n",
];

#[test]
fn huge_formats_do_not_exhaust_memory() {
    let folder = Folder::new();
    let bounded = ["sh", "-c", "ulimit -v 2500000; exec \"$@\"", "sh"];
    for format in HUGE {
        for options in ["generate", "generate --max", "generate --min", "enumerate --limit 3", "format describe"] {
            let ran = folder.typed(&format!("{options} --input '{format}'")).through(&bounded).run();
            // Rows without elements give the enumeration nothing to advance: it reports that.
            let gives_up = ran.status == Some(4) && ran.stderr.contains("too many partial inputs at once");
            assert!(matches!(ran.status, Some(0 | 2)) || gives_up, "{ran}");
            assert!(ran.status == Some(0) || ran.stderr.contains("error: "), "{ran}");
        }
    }
}

#[test]
fn huge_boards_can_be_violated() {
    let folder = Folder::new();
    let bounded = ["sh", "-c", "ulimit -v 2500000; exec \"$@\"", "sh"];
    for format in &HUGE[..2] {
        let ran = folder.typed(&format!("generate --invalid --input '{format}'")).through(&bounded).run().exits(0);
        ran.shows_all(&["b-letter", "n-one-more-than-there-are", "m-one-more-than-there-are"]);
    }
}

#[test]
fn too_large_input_is_refused_with_a_reason() {
    let folder = Folder::new();
    let generate = |format: &str| folder.rebut(&format!("generate --input '{format}'"));
    let ran = generate("n; a[n] where n=10^12; 0<=a<=1").exits(2);
    ran.shows("an input with 1000000000000 elements of `a` would take more than 768 MiB of memory");
    let ran = generate("n m; b[n][m] where n=10^18; m=0; b over \"ab\"").exits(2);
    ran.shows("the rows of `b` alone would take more than 768 MiB of memory");
    let ran = generate("n; repeat n: x y where n=10^12; 0<=x,y<=1").exits(2);
    ran.shows("an input of 1000000000000 repetitions would take more than 768 MiB of memory");
}

/// An input of an ordinary size would pass for the largest one.
#[test]
fn largest_input_that_cannot_be_generated_is_refused_at_its_place() {
    let folder = Folder::new();
    let generate = |format: &str| folder.rebut(&format!("generate --max --input '{format}'"));
    let bounds = [
        ("s where 1<=len(s)<=10^30; s over \"ab\"", "1:1", "`s` would take more"),
        ("k s where k=1; 1<=len(s)<=10^30; s over \"ab\"", "1:3", "`s` would take more"),
        ("n; s[n] where 1<=n<=10^12; s over \"ab\"", "1:4", "elements of `s` would take more"),
        ("n; a[n] where 1<=n<=10^30; 0<=a<=9", "1:4", "`a` would take more"),
        ("n; repeat n: x y where n=10^12; 0<=x,y<=9", "1:4", "1000000000000 repetitions"),
        ("n; repeat n: x y where 1<=n<=10^30; 0<=x,y<=9", "1:4", "so many repetitions"),
        ("n; repeat n: { x; a[x] } where 1<=n<=10^30; 0<=x<=9; 0<=a<=9", "1:4", "so many repetitions"),
        ("n; a[n][2] where 1<=n<=10^30; 0<=a<=9", "1:4", "`a` "),
    ];
    for (format, place, reason) in bounds {
        let ran = generate(format).exits(2);
        ran.shows_all(&["this is too large to be generated", place, reason, "more than 768 MiB", "--where"]);
    }
    // Each of the sizes alone is possible, but not both.
    let ran = generate("n m; b[n][m] where 1<=n,m<=10^6; n*m<=100; b over \"ab\"").exits(0);
    ran.hides("too large");
}

#[test]
fn huge_key_is_an_ordinary_error() {
    let folder = Folder::new()
        .file("p/problem.yaml", format!("problem_format_version: 2025-09\nname: P\n? {}\n: 1\n", "a".repeat(3 << 20)))
        .file("p/data/sample/1.in", "3\n")
        .file("p/data/sample/1.ans", "3\n");
    let ran = folder.rebut("verify p").exits(2);
    assert!(ran.stderr.len() < 20_000, "{} bytes of message", ran.stderr.len());
}

#[test]
fn output_limit_does_not_depend_on_the_time_of_observation() {
    if !installed(&["gcc", "cc", "clang"]) {
        return;
    }
    let program = |writes: &str| {
        format!(
            "#include <stdio.h>\n#include <unistd.h>\nstatic char block[1 << 20];\nstatic void fill(const char *name, int mib, int more) {{\n    \
             FILE *file = fopen(name, \"w\");\n    while (mib--) fwrite(block, 1, sizeof block, file);\n    \
             fwrite(block, 1, more, file);\n    fclose(file);\n}}\nint main() {{\n    int n;\n    scanf(\"%d\", &n);\n    {writes}\n    \
             printf(\"%d\\n\", n);\n}}\n"
        )
    };
    // It writes slowly, so that it is also observed while it runs.
    let gone = "fill(\"a\", 50, 0); fill(\"b\", 50, 0); usleep(200000); unlink(\"a\"); unlink(\"b\");";
    let mut folder = Folder::new().file("p/problem.yaml", "name: P\n").file("p/submissions/accepted/echo.c", ECHO_C);
    for case in 0..6 {
        folder = folder
            .file(&format!("p/data/secret/{case}.in"), format!("{case}\n"))
            .file(&format!("p/data/secret/{case}.ans"), format!("{case}\n"));
    }
    let folder = folder
        .file("p/submissions/accepted/exact.c", program("fill(\"a\", 40, 0); fill(\"b\", 24, 0); usleep(100000);"))
        .file("p/submissions/accepted/gone.c", program(gone))
        .file("p/submissions/run_time_error/more.c", program("fill(\"a\", 40, 0); fill(\"b\", 24, 1);"))
        .file(
            "p/submissions/run_time_error/waits.c",
            program("fill(\"a\", 60, 0); fill(\"b\", 60, 0); usleep(100000);"),
        );
    folder
        .rebut("verify p --no-cache --no-probes --time-limit 5s")
        .exits(0)
        .shows_all(&["OK 5 submissions as expected", "OLE"]);
}

/// Commands that once ran out of memory, panicked or did not end: options, a format, and the expected exit status.
const ONCE_FATAL: [(&str, &str, i32); 5] = [
    ("format explain", "n; repeat n: a b where n = 2*10^5; 1 = a < b <= 19", 0),
    ("generate --invalid", "n; repeat n: s where 10^5 = n < 10^30; s one of \"X\"", 0),
    ("generate --max", "n; repeat n: op[] where 1 <= n <= 2; op over \"ab\"; 1 <= len(op) <= 10^30", 2),
    (
        "generate --time 500ms",
        "n; grid[n] where n = 2; 0 <= grid <= 10^9; exists i in 1..grid[1]: grid[1] = -5 + 0*i",
        2,
    ),
    ("format explain", "m p; if p != 1: { repeat m: u v } where 0<=m<=2; 0<=p<=1; edges (u, v) on 1..3: tree", 2),
];

#[test]
fn once_fatal_formats_are_handled() {
    let folder = Folder::new();
    let bounded = ["sh", "-c", "ulimit -v 2500000; exec \"$@\"", "sh"];
    for (options, format, status) in ONCE_FATAL {
        let ran = folder.typed(&format!("{options} --input '{format}'")).through(&bounded).run();
        assert_eq!(ran.status, Some(status), "{ran}");
    }
}

/// Formats for which counting, checking formulas or collecting their relations once took longer than a minute.
const ONCE_ENDLESS: [&str; 6] = [
    // No repetition satisfies its constraint, so all of them are tried.
    "n; repeat 0..10^9 until 0: k where 1 <= n <= 5; k over \"0-9\"; 1 <= len(k) <= 10; k != k",
    "repeat 0..10^9 until 0: k m where 1 <= k,m <= 10^9; k != k*m/m",
    // Almost all of the indices are out of bounds.
    "n p; a[n] where 1 <= n <= 5; 1 <= p <= 10^6; 0 <= a <= 9; forall i in 1..p-1: a[i] < a[i+1]",
    "p; a[p] where 1 <= p <= 100; 0 <= a <= 1; forall i in 1..p: forall j in 1..p: forall k in 1..p: a[i] < i + j + k",
    // The parts are independent, and have many shapes.
    "cases 2: { cases 5: { t[2]; k[] c[1] } } where -10^9 <= c <= 10^6; k over \"SE.\"; 0 <= t <= 2; 2 <= len(k) <= 5",
    "repeat 5: { n[2][2]; y s } where 1 <= len(s) <= 5; s over \"x\"; 0 <= n <= 1000; 1 <= y <= 10^18; if y = 8: y <= 9",
];

#[test]
fn explanation_ends_within_its_steps() {
    for text in ONCE_ENDLESS {
        let (format, _) = Format::parse(&SourceText::new("test", text)).unwrap();
        let options = ExplainOptions { samples: 20, steps: 10_000, ..ExplainOptions::default() };
        let explained = explain_format(&format, options);
        // Six sizes would be shown if the steps were enough.
        assert!(explained.matches(" of at most ").count() <= 3, "{text}\n{explained}");
    }
}

#[test]
fn counting_spends_the_steps_of_its_format() {
    for text in ONCE_ENDLESS {
        let (mut format, _) = Format::parse(&SourceText::new("test", text)).unwrap();
        format.stop_token = StopToken::never_stopping().with_steps(10_000);
        let counted = count_inputs(&GenerationPlan::new(&format), 100, &|| false);
        assert!(counted.is_none() && format.stop_token.is_stopped(), "{text}: {counted:?}");
    }
}

#[test]
fn hopeless_generation_ends_before_its_time() {
    let folder = Folder::new();
    let nested: String = (0..18).map(|level| format!("forall i{level} in 1..n: ")).collect();
    let contradictory = "p where 1000 <= p <= 10^4; forall i in 1..p-1: p % i != 0".to_owned();
    for format in [contradictory, format!("n where 4 <= n <= 5; {nested}n > 0")] {
        // It ends within its steps, or the test would be killed.
        let ran = folder.rebut(&format!("generate --time 1h --input '{format}'")).exits(2);
        ran.shows("no input could be found that satisfies this");
    }
}
