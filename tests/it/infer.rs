//! `rebut infer`, and what `rebut stress` infers.

use crate::environment::{Folder, installed};
use crate::programs::{RIGHT_C, WRONG_C};

/// Samples of a number and as many numbers.
fn samples() -> Folder {
    Folder::new().file("1.in", "5\n3 1 4 1 5\n").file("1.ans", "5\n").file("2.in", "3\n2 7 2\n").file("2.ans", "7\n")
}

#[test]
fn a_block_of_names_is_enough() {
    let folder = Folder::new();
    folder.write(
        "input.md",
        "## Constraints\n- $1 \\le N \\le 50$\n- $1 \\le A_i \\le 9$\n## Input\nThe input is given in the following format:\n\n$N$\n$A_1$ $\\ldots$ $A_N$\n",
    );
    let found = folder.rebut("infer --statement input.md --out inferred.format").exits(0);
    found.shows("there is no sample: the layout is that of the statement");
    let expected = "# inferred from input.md\nN\nA[N]\nwhere:\n    1 <= N <= 50\n    1 <= A <= 9\n";
    assert_eq!(folder.read("inferred.format"), expected);
    folder.write("input.md", "The input is a board.");
    folder.rebut("infer --statement input.md").exits(2).shows("no block of names in the statement is understood");
}

#[test]
fn a_guess_in_a_file_is_called_a_guess() {
    let folder = samples().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file("3.in", "2\n-4 -1\n");
    folder.rebut("infer --out input.format").exits(0);
    let ran = folder.rebut("stress sol.c brute.c --seed 1 --cases 300").exits(1);
    ran.shows_all(&["the format is a guess from the samples", "smallest possible under the guessed format"]);
    let ran = folder.rebut("stress brute.c --reference brute.c --seed 1 --cases 300").exits(0);
    ran.shows("nothing found under the guessed format: 300 cases");
    // A reference that fails may be right: nothing shows that the input is valid.
    folder.write("fails.c", "int main(void) { return 1; }\n");
    let ran = folder.rebut("stress sol.c --reference fails.c --seed 1 --cases 300").exits(3);
    let [guess, fix] = ["the format is a guess, so this input", "fix fails.c"].map(|text| ran.stdout.find(text));
    assert!(guess.is_some() && guess < fix, "{ran}");
    // They have been checked.
    folder
        .write("input.format", folder.read("input.format").replace("    # guessed from the samples", "    # checked"));
    folder.rebut("stress sol.c brute.c --seed 1 --cases 300").exits(1).hides("guess");
}

#[test]
fn statement_beside_the_samples_has_the_bounds() {
    let folder = samples().file("sol.c", WRONG_C).file("brute.c", RIGHT_C);
    folder.write("statement.txt", "$n$ ($1 \\le n \\le 9$), then $a_1, \\ldots, a_n$ ($-5 \\le a_i \\le 20$)");
    let ran = folder.rebut("stress sol.c brute.c --seed 1 --cases 300").exits(1);
    let ran = ran.shows_all(&["and `statement.txt`: n; a[n]; where: { 1 <= n <= 9; -5 <= a <= 20 }"]);
    ran.shows("its bounds are those of the statement").hides("the ranges are guesses");
    folder.rebut("infer").exits(0).shows("1 <= n <= 9");
}

/// A page as it is copied: the statement, and below it the samples.
const COPIED_PAGE: &str = "A. Largest\n\nInput\nThe first line contains n (1 ≤ n ≤ 9), the second n integers a_1, ..., a_n (-5 ≤ a_i ≤ 20).\n\n\
                           Output\nPrint the largest.\n\nExamples\nInput\nCopy\n3\n3 1 2\nOutput\nCopy\n3\nInput\nCopy\n2\n0 -1\n\
                           Output\nCopy\n0\nNote\nIn the first example, 3 is the largest.\n";

#[test]
fn page_with_samples_is_all_that_is_needed() {
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file("statement.txt", COPIED_PAGE);
    let ran = folder.rebut("infer").exits(0);
    ran.shows_all(&[
        "# inferred from sample 1 of the statement, sample 2 of the statement",
        "\nn\na[n]\n",
        "-5 <= a <= 20",
    ]);
    folder.rebut("test brute.c").exits(0).shows("accepted on 2 of 2 test cases");
    let ran = folder.rebut("stress sol.c brute.c --seed 1 --cases 300").exits(1);
    ran.shows("inferred from sample 1 of the statement and sample 2 of the statement: n; a[n]; where");
    // Files of samples come before those of the page.
    folder.write("1.in", "1\n7\n");
    folder.rebut("infer").shows("# inferred from 1.in\n");
    folder.rebut("test brute.c").exits(2).shows("`1.in` has none beside it");
    folder.rebut("test brute.c --samples nowhere").exits(2).shows("no file or folder `nowhere`");
}

#[test]
fn format_is_inferred_from_samples_and_statement() {
    let folder =
        samples().file("statement.md", "$n$ ($1 \\le n \\le 9$), then $a_1, \\ldots, a_n$ ($-5 \\le a_i \\le 20$)");
    let ran = folder.rebut("infer 1.in 2.in --statement statement.md").exits(0);
    assert_eq!(ran.stdout, "# inferred from 1.in, 2.in\nn\na[n]\nwhere:\n    1 <= n <= 9\n    -5 <= a <= 20\n");
    // Without arguments, the samples of the folder are taken.
    folder.rebut("infer --out input.format").exits(0);
    assert!(folder.read("input.format").contains("a[n]\nwhere:\n    # guessed from the samples"));
    folder.rebut("validate input.format 1.in 2.in").exits(0);
}

#[test]
fn outputs_of_a_generator_are_samples() {
    if !installed(&["python3"]) {
        return;
    }
    let generator = "import random, sys\nrandom.seed(int(sys.argv[1]))\nn = random.randint(1, 6)\nprint(n)\n\
                     print(*(random.randint(-20, 20) for _ in range(n)))\n";
    let folder = Folder::new().file("gen.py", generator).file("silent.py", "import sys\nsys.exit(1)\n");
    let ran = folder.rebut("infer --generator gen.py").exits(0);
    assert!(ran.stdout.starts_with("# inferred from 16 outputs of gen.py\nn\na[n]\nwhere:\n"), "{ran}");
    folder.rebut("infer --generator silent.py").exits(3).shows("the generator `silent.py` fails with seed 1");
}

#[test]
fn undecided_layout_is_a_question_and_exits_with_one() {
    let folder = Folder::new().file("1.in", "1\n5\n");
    folder.rebut("infer 1.in").exits(1).shows("# Question: is it `x; y`, or `n; a[n]`?");
    Folder::new().rebut("infer").exits(2).shows("no sample input was given or found");
    Folder::new().file("1.in", "").rebut("infer 1.in").exits(2).shows("`1.in`: there is no sample input");
}

#[test]
fn clipboard_has_the_formulas_of_the_page_or_its_text() {
    let html = "<p>One line: n (1 &le; n &le; 10<sup>5</sup>), then a<sub>1</sub>, &hellip;, a<sub>n</sub> (1 &le; a<sub>i</sub> &le; 9).</p>";
    let script = |html: &str| format!("#!/bin/sh\ncase \"$*\" in *html*) {html};; *) echo '1 <= n <= 7';; esac\n");
    let folder = samples().script("bin/wl-paste", script(&format!("echo '{html}'")));
    let infer = |folder: &Folder| {
        folder.typed("infer 1.in 2.in --clipboard").variable("PATH", folder.path("bin").display().to_string()).run()
    };
    infer(&folder).exits(0).shows_all(&["1 <= n <= 10^5", "1 <= a <= 9"]);
    folder.write("bin/wl-paste", script("exit 1"));
    infer(&folder).exits(0).shows("1 <= n <= 7");
    std::fs::remove_file(folder.path("bin/wl-paste")).unwrap();
    infer(&folder).exits(2).shows("no text was found in the clipboard");
}

#[test]
fn proposed_format_is_used_if_it_passes_the_checks() {
    // The fake model is a script that reads the request.
    let proposal =
        |format: &str| format!("#!/bin/sh\ngrep -q '=== input 1.in ===' || exit 1\ncat <<'E'\n{format}\nE\n");
    let folder = samples().file("sol.c", RIGHT_C).script("propose.sh", "");
    folder.write("statement.txt", "$n$ ($1 \\le n \\le 9$), then $a_1, \\ldots, a_n$ ($-5 \\le a_i \\le 20$)");
    for (format, status, shown) in [
        (
            "```\nn\na[n] where 1<=n<=9;-5<=a<=20\n```",
            0,
            "# proposed by ./propose.sh, checked with 1.in, 2.in\nn\na[n]\nwhere:\n    1 <= n <= 9",
        ),
        (
            "n\na[n]\nwhere:\n  1<=n<=90; -50 <= a <= 50",
            1,
            "# Question: the format that rebut inferred has instead: # 1 <= n <= 9 # -5 <= a <= 20",
        ),
        ("n\na[n", 0, "is not used: it does not parse: error: the line ends too early"),
        ("n\na[n]\nwhere:\n  1<=n<=9; 0 <= a <= 1", 0, "is not used: `1.in` is no input of it"),
        (
            "repeat 1..9 until eof:\n  a[]\nwhere:\n  0 <= len(a) <= 9; -5 <= a <= 20",
            0,
            "is not used: `sol.c` does not read its inputs to their ends",
        ),
    ] {
        folder.write("propose.sh", proposal(format));
        folder.rebut("infer --propose ./propose.sh --solution sol.c").exits(status).shows(shown);
    }
    folder.write("propose.sh", "#!/bin/sh\necho no model >&2; exit 7\n");
    folder
        .rebut("infer --propose ./propose.sh")
        .exits(4)
        .shows_all(&["`./propose.sh` fails: exit status 7", "no model"]);
}

#[test]
fn size_with_one_value_is_a_warning() {
    let folder = Folder::new().file("1.in", "5\n1 2 4 8 9\n").file("2.in", "5\n4 4 4 4 4\n");
    folder.rebut("infer 1.in 2.in").exits(0).shows("only one value of `n`");
}

#[test]
fn solution_decides_a_question() {
    let folder = Folder::new().file("1.in", "1\n5\n").file("sol.c", RIGHT_C);
    // Programs read the same numbers on one line and on several, so that question is left.
    let ran =
        folder.rebut("infer 1.in --solution sol.c").exits(1).hides("`x; y`").shows("`n; a[n]`, or `n; repeat n: x`");
    assert!(ran.stdout.starts_with("# inferred from 1.in\nn\na[n]\n"), "{ran}");
}

#[test]
fn slow_solution_decides_nothing_and_takes_seconds() {
    let folder =
        Folder::new().file("1.in", "1\n5\n").file("sol.c", "int main(void) { for (volatile int i = 0;; i++) {} }\n");
    let ran = folder.rebut("infer 1.in --solution sol.c").exits(1);
    ran.shows_all(&["`sol.c` takes more than a second on small inputs", "# upper bounds: x?", "`x; y`"]);
}

#[test]
fn reference_decides_which_layout_a_search_takes() {
    // Only the reference shows that 1 is a size.
    let folder = Folder::new().file("1.in", "1\n5\n").file("sol.c", WRONG_C).file("brute.c", RIGHT_C);
    let ran = folder.rebut("stress sol.c brute.c --seed 1 --cases 300").exits(0);
    ran.shows_all(&["1.in`: n; a[n]; where", "upper bounds: a? n?"]).hides("x; y");
}

#[test]
fn stress_infers_the_format_from_samples() {
    let folder = samples().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file("3.in", "2\n-4 -1\n");
    let ran = folder.rebut("stress sol.c brute.c --seed 1 --cases 300").exits(1);
    ran.shows_all(&["the format was inferred from", "sol.c: wrong answer", "the format is a guess from the samples"]);
    folder.write(
        "brute.c",
        RIGHT_C.replace("printf", "if (best < 0) abort(); printf").replace("stdio", "stdlib.h>\n#include <stdio"),
    );
    folder.rebut("stress sol.c brute.c --seed 1 --cases 300").exits(3).shows("the format is a guess from the samples");
}

#[test]
fn samples_are_tested_with_the_first_difference() {
    let folder = samples().file("sol.c", RIGHT_C).file("tests/9.in", "1\n1\n").file("tests/9.ans", "1\n");
    folder.rebut("test").exits(0).shows("accepted on 2 of 2 test cases").hides("tests/9");
    let folder = folder.file("3.in", "1\n-4\n").file("3.out", "-4\n").file("wrong.c", WRONG_C).file("4.in", "1\n1\n");
    folder.rebut("test wrong.c").exits(1).shows_all(&["WA", "-4", "no answer beside `4.in`"]);
    folder.rebut("test wrong.c --samples 1.in").exits(0);
    folder.rebut("test wrong.c --samples tests").exits(0);
}

#[test]
fn missing_samples_are_an_error() {
    if !installed(&["gcc", "cc"]) {
        return;
    }
    let folder = Folder::new().file("sol.c", RIGHT_C);
    folder.rebut("test").exits(2).shows_all(&["no samples were found in this folder", "`tests/`"]);
    folder.file("1.in", "1\n1\n").rebut("test").exits(2).shows("`1.in` has none beside it");
    Folder::new().rebut("test").exits(2).shows("there is no `sol.*` in this folder");
}

/// A sample without a simple layout takes fewer steps if each of them takes longer.
#[test]
fn long_sample_is_searched_in_part() {
    let mut text = String::new();
    for line in 0..400_i64 {
        let numbers: Vec<String> = (0..line * line % 7 + 1).map(|at| (line * 37 % 11 + at * at).to_string()).collect();
        text += &(numbers.join(" ") + "\n");
    }
    let folder = Folder::new().file("1.in", &text).file("2.in", format!("5 7\n{}", "x".repeat(2_000_000)));
    folder.rebut("infer 1.in").exits(2).shows("too long or too irregular");
    folder.rebut("infer 2.in");
}
