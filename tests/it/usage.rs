//! Usage errors: exit status 2, the place of the error, and what would be right.

use crate::environment::{Folder, Ran};
use crate::programs::{ECHO_C, FORMAT};

/// Asserts the exit status of each command and the texts of its message.
#[track_caller]
fn check_usage_errors(folder: &Folder, cases: &[(&str, &[&str])]) {
    for (command, shown) in cases {
        let ran = folder.rebut(command).exits(2).shows_all(shown);
        assert!(ran.stdout.is_empty(), "results of what failed: {ran}");
        assert!(!ran.stderr.contains("panicked"), "{ran}");
    }
}

fn two_programs() -> Folder {
    Folder::new().file("sol.c", ECHO_C).file("brute.c", ECHO_C)
}

fn generate(format: &str) -> Ran {
    Folder::new().file("a.format", format).rebut("generate a.format")
}

#[test]
fn format_errors_are_shown_with_a_caret() {
    let cases: &[(&str, &[&str])] = &[
        ("n\nwhere:\n    1 <= n <= \n", &["a.format:3:", "1 <= n <=", "^"]),
        ("n\nwhere:\n    1 <= m <= 5\n", &["a.format:3:", "`m`", "^"]),
        ("n\na[m]\nwhere:\n    1 <= n <= 5\n", &["a.format:2:", "^"]),
        ("cases T:\n    n\nwhere:\n    1 <= n <= 5\n", &["a.format:1:", "T", "^"]),
        ("n\nwhere:\n    1 <= n\n", &["n", "upper bound"]),
        ("n\n  m\nwhere:\n    1 <= n, m <= 5\n", &["a.format:2:", "^"]),
        ("n $\n", &["a.format:1:3", "^"]),
        ("n\nwhere:\n    1 <= n <= 5\n    board over \"x\"\n", &["a.format:4:", "`board`", "^"]),
        ("n n\nwhere:\n    1 <= n <= 5\n", &["a.format:1:3", "^"]),
    ];
    for (format, shown) in cases {
        generate(format).exits(2).shows_all(shown).shows("1 error");
    }
}

#[test]
fn format_errors_are_shown_together() {
    generate("n m\nwhere:\n    1 <= k <= 5\n    1 <= l <= 5\n").exits(2).shows_all(&["`k`", "`l`", "errors"]);
}

#[test]
fn empty_format_is_an_error() {
    for format in ["", "\n\n", "# only a comment\n", "where:\n    1 <= n <= 5\n"] {
        generate(format).exits(2).shows("a.format");
    }
    check_usage_errors(&two_programs(), &[("stress sol.c --input ''", &["error"])]);
}

#[test]
fn contradictions_are_found_before_the_search() {
    let formats = [
        "n\nwhere:\n    5 <= n <= 3\n",
        "n m\nwhere:\n    1 <= n <= 3\n    4 <= m <= 6\n    m < n\n",
        "n a b\nwhere:\n    n = 1\n    1 <= a, b <= n\n    a != b\n",
    ];
    for format in formats {
        generate(format).exits(2).shows_all(&["error", "a.format:", "^"]);
    }
}

#[test]
fn unsatisfied_constraint_is_named() {
    let format = "n\na[n]\nwhere:\n    10 <= n <= 12\n    1 <= a <= 3\n    distinct(a)\n";
    generate(format).exits(2).shows_all(&["distinct(a)", "a.format:6:"]);
    let format = "n\na[n]\nwhere:\n    n = 3\n    1 <= a <= 1000\n    sum(a) * sum(a) = 7\n";
    generate(format).exits(2).shows_all(&["sum(a) * sum(a)", "a.format:6:"]);
}

#[test]
fn unknown_names_get_a_suggestion() {
    let folder = two_programs();
    let stress = format!("stress sol.c --reference brute.c --input '{FORMAT}'");
    check_usage_errors(
        &folder,
        &[
            (&format!("{stress} --checker token"), &["token", "tokens"]),
            (&format!("{stress} --checker numbers:x"), &["numbers"]),
            (&format!("{stress} --shape sawtoth"), &["unknown shape `sawtoth`", "`sawtooth`"]),
            (&format!("{stress} --shape qqqqqqqq"), &["unknown shape", "rebut shapes"]),
            (&format!("generate --input '{FORMAT}' --shape sawtoth"), &["`sawtooth`"]),
            ("check token a b c", &["token"]),
            ("strss sol.c", &["strss", "stress"]),
            (&format!("{stress} --sed 5"), &["--sed", "--seed"]),
        ],
    );
}

#[test]
fn fixed_values_of_fields_are_checked() {
    let generate = format!("generate --input '{FORMAT}'");
    check_usage_errors(
        &Folder::new(),
        &[
            (&format!("{generate} --let m=5"), &["--> --let:1:1", "1 | m=5\n  | ^^^", "never used", "1 error"]),
            (&format!("{generate} --let n"), &["--> --let:1:2", "1 | n\n  |  ^ expected `=`"]),
            (&format!("{generate} --let n=x"), &["no `x` in the layout", "--> --let:1:3"]),
            (&format!("{generate} --let n=9"), &["--> --let:1:1", "1 | n=9\n  | ^^^", "1..8"]),
            (
                &format!("{generate} --subtask small"),
                &["no subtask `small`", "--> --subtask:1:1", "1 | small\n  | ^^^^^"],
            ),
            (&format!("{generate} --min --max"), &["--min", "--max"]),
            ("generate", &["required"]),
        ],
    );
}

#[test]
fn violated_constraint_of_an_option_is_located_in_the_option() {
    let folder = Folder::new().file("1.in", "3\n1 2 3\n");
    let validate = format!("validate --input '{FORMAT}' 1.in");
    folder.rebut(&validate).exits(0);
    let ran = folder.rebut(&format!("{validate} --where 'sum(a) <= 2'")).exits(1);
    ran.shows_all(&["`sum(a) <= 2` does not hold", "required by `--where`"]);
}

#[test]
fn constraint_of_where_can_begin_with_a_minus_sign() {
    let generate = format!("generate --input '{FORMAT}' --let n=2");
    let ran = Folder::new().rebut(&format!("{generate} --where '-7 <= a <= -7'")).exits(0);
    assert_eq!(ran.stdout, "2\n-7 -7\n");
}

#[test]
fn option_values_are_checked() {
    let folder = two_programs();
    let stress = format!("stress sol.c --reference brute.c --input '{FORMAT}'");
    let cases: &[(&str, &[&str])] = &[
        ("--time 5x", &["--time", "`x`", "ms"]),
        ("--time soon", &["--time"]),
        ("--time=-1s", &["--time"]),
        ("--time-limit 1e99", &["--time-limit"]),
        ("--seed xyz", &["--seed", "hexadecimal"]),
        ("--seed 11112222333344445", &["--seed", "hexadecimal"]),
        ("--jobs 0", &["--jobs"]),
        ("--cases=-3", &["--cases"]),
        ("--memory-limit 0", &["--memory-limit"]),
        ("--where 'n <= '", &["--> --where:1:5", "1 | n <=\n  |     ^"]),
        ("--where 'n <= 4' --where 'n <= 3; q <= 4'", &["--> --where:1:9", "1 | n <= 3; q <= 4\n  |         ^"]),
        ("--color sometimes", &["--color", "always"]),
        ("--format a --generator b", &["cannot be used with"]),
    ];
    for (options, shown) in cases {
        check_usage_errors(&folder, &[(&format!("{stress} {options}"), shown)]);
    }
}

#[test]
fn missing_files_are_named() {
    let folder = two_programs().file("folder/x", "").file("a.format", "n\nwhere:\n    1 <= n <= 5\n");
    check_usage_errors(
        &folder,
        &[
            ("stress sl.c --reference brute.c --input 'n where 1<=n<=5'", &["`sl.c`"]),
            ("stress sol.c --reference none.c --input 'n where 1<=n<=5'", &["`none.c`"]),
            ("stress sol.c --reference brute.c --format none.format", &["`none.format`", "no such file"]),
            ("stress sol.c --reference brute.c --format folder", &["`folder`", "directory"]),
            ("stress folder --reference brute.c --format a.format", &["folder"]),
            ("generate none", &["`none`", "no such file"]),
            ("validate a.format none.in", &["`none.in`", "no such file"]),
            ("validate a.format folder", &["`folder`", "directory"]),
            ("validate a.format", &["no file"]),
            ("shrink none.in sol.c --format a.format", &["`none.in`"]),
            ("check tokens none none none", &["`none`"]),
            ("replay none", &["none", "finding.json"]),
            ("replay folder", &["folder", "finding.json"]),
            ("stress sol.c --problem none", &["`none`", "problem.yaml"]),
        ],
    );
}

#[test]
fn missing_arguments_are_named() {
    check_usage_errors(&Folder::new(), &[("stress --input 'n where 1<=n<=5'", &["SUBMISSION", "sol.*"])]);
    let alone = Folder::new().file("sol.c", ECHO_C);
    check_usage_errors(&alone, &[("stress sol.c --input 'n where 1<=n<=5'", &["no reference", "--reference"])]);
    let folder = two_programs();
    check_usage_errors(
        &folder,
        &[
            ("stress sol.c --reference brute.c", &["no input format", "--input", "--format", "--generator"]),
            ("stress sol.c --reference brute.c --generator 'none.sh'", &["none.sh"]),
            ("stress sol.c --reference brute.c --generator ./sol.c --where 'n <= 3'", &["--where"]),
            ("", &["Usage"]),
        ],
    );
}

#[test]
fn errors_in_a_package_are_located() {
    let packages: &[(&str, &[&str])] = &[
        ("name: [unclosed\n", &["problem.yaml", "cannot be read"]),
        ("limits:\n    time_limit: soon\n", &["problem.yaml:2:17", "`soon`"]),
        ("limits:\n    time_limit: -1\n", &["problem.yaml:2:17", "time_limit"]),
        ("validator_flags: what_is_this\n", &["validator flag `what_is_this`"]),
        ("validation: custom\n", &["has no output validator", "--checker"]),
        ("validator_flags: float_tolerance\n", &["float_tolerance"]),
    ];
    for (yaml, shown) in packages {
        let folder = two_programs()
            .file("p/problem.yaml", yaml)
            .file("p/input.format", "n\nwhere:\n    1 <= n <= 5\n")
            .file("p/submissions/accepted/fast.c", ECHO_C);
        check_usage_errors(&folder, &[("stress sol.c --problem p --cases 5", shown)]);
    }
}

#[test]
fn damaged_finding_is_reported() {
    let folder = Folder::new().file("f/finding.json", "{\"version\": 1").file("g/finding.json", "{\"version\": 99}");
    check_usage_errors(&folder, &[("replay f", &["finding.json", "damaged"])]);
    folder.rebut("replay g").exits(2);
}

#[test]
fn file_given_as_a_format_gets_a_hint() {
    let folder = Folder::new().file("a.format", "n where 1<=n<=2");
    let messages = ["`a.format` is a file, and `--input` takes the format itself", "--format a.format"];
    folder.rebut("generate --input a.format").exits(2).shows_all(&messages);
    folder.rebut("generate a.format").exits(0);
}

#[test]
fn likely_slips_in_options_are_refused() {
    let folder = two_programs().file("sol2.c", ECHO_C).file("brute2.c", ECHO_C);
    check_usage_errors(
        &folder,
        &[
            ("stress sol.c --input 'n where 1<=n<=9' --time-limit 1000", &["a unit is missing: `1000s` or `1000ms`?"]),
            ("stress sol.c --input 'n where 1<=n<=9' --checker numbers:1e6", &["expected a tolerance below 1", "1e6"]),
            ("stress sol2.c brute2.c --input 'n where 1<=n<=9'", &["is `brute2.c` the reference, or a submission"]),
        ],
    );
}
