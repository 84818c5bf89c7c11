//! Sizes beyond all bounds: whatever a format, a package or a program announces, memory and time stay bounded.

use crate::environment::{Folder, installed};
use crate::programs::ECHO_C;

/// Formats whose sizes multiply to more than any memory has: elements, rows without elements, columns without rows, lines, lengths.
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
fn no_size_of_a_format_takes_more_memory_than_there_is() {
    let folder = Folder::new();
    let bounded = ["sh", "-c", "ulimit -v 2500000; exec \"$@\"", "sh"];
    for format in HUGE {
        for options in ["generate", "generate --max", "generate --min", "enumerate --limit 3", "format describe"] {
            let ran = folder.typed(&format!("{options} --input '{format}'")).through(&bounded).run();
            // Where rows hold nothing, nothing tells the enumeration where to go on: it says so.
            let gives_up = ran.status == Some(4) && ran.stderr.contains("too many ways to go on");
            assert!(matches!(ran.status, Some(0 | 2)) || gives_up, "{ran}");
            assert!(ran.status == Some(0) || ran.stderr.contains("error: "), "{ran}");
        }
    }
}

#[test]
fn boards_of_any_size_can_be_broken() {
    let folder = Folder::new();
    let bounded = ["sh", "-c", "ulimit -v 2500000; exec \"$@\"", "sh"];
    for format in &HUGE[..2] {
        let ran = folder.typed(&format!("generate --invalid --input '{format}'")).through(&bounded).run().exits(0);
        ran.shows_all(&["b-letter", "n-one-more-than-there-are", "m-one-more-than-there-are"]);
    }
}

#[test]
fn an_input_that_is_too_large_is_refused_with_its_reason() {
    let folder = Folder::new();
    let generate = |format: &str| folder.rebut(&format!("generate --input '{format}'"));
    let ran = generate("n; a[n] where n=10^12; 0<=a<=1").exits(2);
    ran.shows("an input with 1000000000000 elements of `a` would take more than 768 MiB of memory");
    let ran = generate("n m; b[n][m] where n=10^18; m=0; b over \"ab\"").exits(2);
    ran.shows("the rows of `b` alone would take more than 768 MiB of memory");
    let ran = generate("n; repeat n: x y where n=10^12; 0<=x,y<=1").exits(2);
    ran.shows("an input of 1000000000000 repetitions would take more than 768 MiB of memory");
}

#[test]
fn a_key_of_megabytes_is_an_ordinary_mistake() {
    let folder = Folder::new()
        .file("p/problem.yaml", format!("problem_format_version: 2025-09\nname: P\n? {}\n: 1\n", "a".repeat(3 << 20)))
        .file("p/data/sample/1.in", "3\n")
        .file("p/data/sample/1.ans", "3\n");
    let ran = folder.rebut("verify p").exits(2);
    assert!(ran.stderr.len() < 20_000, "{} bytes of message", ran.stderr.len());
}

#[test]
fn what_a_program_leaves_in_its_folder_decides_and_not_when_it_is_looked_at() {
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
    // Slowly, so that it is seen on the way, whatever it comes to in the end.
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
