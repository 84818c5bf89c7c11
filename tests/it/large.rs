//! Shrinking of large inputs is bounded in memory and keeps to its time. `scripts/memory` does the same at full size.

use crate::environment::Folder;
use std::time::{Duration, Instant};

/// Prints the number of bytes that it reads.
const COUNT: &str =
    "#include <stdio.h>\nint main() { long n = 0; while (getchar() != EOF) n++; printf(\"%ld\\n\", n); }\n";
/// Prints another number if that exceeds a bound.
const WRONG: &str = "#include <stdio.h>\nint main() { long n = 0; while (getchar() != EOF) n++; \
                     printf(\"%ld\\n\", n > LEAST ? n + 1 : n); }\n";

/// Memory for each token that shrinking can use in addition to that of any command: some thirty copies of an input with
/// the data derived from its numbers.
const BYTES_A_TOKEN: u64 = 1000;
/// A quarter is code, which is longer where it is not optimised.
const ANY_MIB: u64 = 80;

/// Shrinks an input that is needed almost entirely, so most candidates are as large as the input and none is accepted.
fn check(format: &str, input: &str) {
    let least = input.len() - input.len() / 50;
    let folder = Folder::new()
        .file("sol.c", WRONG.replace("LEAST", &least.to_string()))
        .file("brute.c", COUNT)
        .file("in", input);
    let shrink = "shrink in sol.c --reference brute.c --shrink-time 2s --certify 0s --input";
    let started = Instant::now();
    let tokens = input.split_whitespace().count() as u64;
    let max_mib = ANY_MIB + ((tokens * BYTES_A_TOKEN) >> 20);
    folder.typed(shrink).argument(format).run().exits(1).holds_at_most_mib(max_mib);
    // The machine can be busy, but no step is long without a look at the clock.
    assert!(started.elapsed() < Duration::from_secs(100), "{:?}", started.elapsed());
    assert_eq!(folder.finding().read("original.txt"), input);
}

fn numbers(count: usize, most: usize) -> String {
    let numbers: Vec<String> = (0..count).map(|i| (1 + i * 7_919 % most).to_string()).collect();
    numbers.join(" ")
}

#[test]
fn large_arrays_shrink_within_bounds() {
    let input = format!("100000\n{}\n", numbers(100_000, 999_983));
    check("n; a[n] where 1<=n<=10^6; 1<=a<=10^6", &input);
}

#[test]
fn large_trees_shrink_within_bounds() {
    let edges: String = (2..=30_000).map(|v| format!("{} {v}\n", 1 + v * 7_919 % (v - 1))).collect();
    check("n; repeat n-1: u v where 2<=n<=10^6; 1<=u,v<=n; edges (u,v) on 1..n: tree", &format!("30000\n{edges}"));
}

#[test]
fn large_boards_shrink_within_bounds() {
    let row =
        |y: usize| (0..300).map(move |x| if x * y % 7 == 3 { '#' } else { '.' }).chain(['\n']).collect::<String>();
    let rows: String = (0..300).map(row).collect();
    check("h w; c[h][w] where 1<=h,w<=1000; c over \".#\"", &format!("300 300\n{rows}"));
}

#[test]
fn large_query_lists_shrink_within_bounds() {
    let lines: String = (0..20_000)
        .map(|i| if i % 3 == 0 { format!("ask {}\n", 1 + i % 999) } else { format!("add {i} 7\n") })
        .collect();
    let format = "q\nrepeat q:\n    either:\n        \"ask\" p\n        \"add\" x y\nwhere:\n    1 <= q, p <= 10^6\n    \
                  0 <= x, y <= 10^6\n";
    check(format, &format!("20000\n{lines}"));
}

#[test]
fn search_tries_inputs_of_full_size_early() {
    // The array of the submission is too short for half of the sizes, and too long for nearly all small inputs to show it.
    let sum = |length: &str| {
        format!(
            "#include <stdio.h>\nint a[{length}];\nint main() {{ int n; long s = 0; scanf(\"%d\", &n); for (int i = 0; i < n; i++) \
             scanf(\"%d\", &a[i %% {length}]); for (int i = 0; i < n; i++) s += a[i %% {length}]; printf(\"%ld\\n\", s); }}\n"
        )
        .replace("%%", "%")
    };
    let folder = Folder::new().file("sol.c", sum("100000")).file("brute.c", sum("200000"));
    let stress = "stress sol.c --reference brute.c --input 'n; a[n] where 1<=n<=2*10^5; 1<=a<=9' --seed 1 --cases 200 \
                  --shrink-time 0s --certify 0s --no-save";
    folder.rebut(stress).exits(1).shows("FAIL  sol.c: wrong answer");
    folder.rebut(&format!("{stress} --max-elements 5000")).exits(0).shows("OK");
}

#[test]
fn large_inputs_that_are_expensive_to_check_are_given_up() {
    let folder = Folder::new().file("sol.c", COUNT).file("brute.c", COUNT);
    let pairs = "n; a[n] where 1<=n<=10^6; 1<=a<=10^9; forall i in 1..n: forall j in 1..n: a[i] != 2*a[j]";
    // The large one among the first twenty inputs has 32,000 numbers, and a thousand million pairs.
    folder
        .typed("stress sol.c --reference brute.c --seed 1 --cases 20 --json events --input")
        .argument(pairs)
        .run()
        .exits(0)
        .shows("19 cases");
}

#[test]
fn large_inputs_are_drawn_smaller_before_they_are_shrunk() {
    let total = "#include <stdio.h>\nint main() { int n, m, u, v, w; scanf(\"%d%d\", &n, &m); long t = 0; \
                 while (scanf(\"%d%d%d\", &u, &v, &w) == 3) t += w; \
                 printf(\"%ld\\n\", n < LEAST ? t : (long)(int)t); }\n";
    let folder = Folder::new()
        .file("sol.c", total.replace("LEAST", "16"))
        .file("brute.c", total.replace("LEAST", "1000000"))
        .file(
            "input.format",
            "n m\nrepeat m:\n    u v w\nwhere:\n    2 <= n <= 200000\n    1 <= m <= 400000\n    1 <= w <= 10^9\n    \
             edges (u, v) on 1..n: simple, connected\n",
        );
    let search = "stress --seed 1 --cases 40 --time 60s --shrink-time 60s --certify 0s --initial-growth 100 \
                  --max-elements 300000 --shape graphs/caterpillar";
    // The passes alone would leave thousands of elements.
    folder.rebut(search).exits(1).shows_all(&["shrunk 299,999 -> 47 elements"]).hides("stopped");
}
