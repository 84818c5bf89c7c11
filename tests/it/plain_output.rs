//! Output without a terminal: no escape codes, and no line beyond 80 columns.

use crate::environment::{Folder, Ran};
use crate::programs::{FORMAT, RIGHT_C, WRONG_C, c_about_n};
use std::sync::LazyLock;
use unicode_width::UnicodeWidthStr;

fn folder() -> Folder {
    Folder::new()
        .file("a_submission_with_a_rather_long_name.c", WRONG_C)
        .file("sol.c", WRONG_C)
        .file("brute.c", RIGHT_C)
        .file(
            "hostile.c",
            c_about_n("printf(\"\\033[31m\\033]0;title\\007%0300d\\n\", n); fputs(\"\\033[2J\", stderr); abort();"),
        )
        .file("broken.c", "int main() { return x; }\n")
        .file("bad.format", "n m\nwhere:\n    1 <= n <= 5\n    1 <= k <= 5\n")
        .file("in", "9\n1 2 3\n")
}

/// Commands of all kinds.
fn commands() -> Vec<String> {
    let search = format!("--reference brute.c --input '{FORMAT}' --seed 1 --cases 100 --no-save");
    vec![
        format!("stress sol.c {search}"),
        format!("stress a_submission_with_a_rather_long_name.c sol.c {search} --verbose"),
        format!("stress hostile.c {search}"),
        format!("stress broken.c {search}"),
        format!("stress brute.c {search}"),
        format!("validate in --input '{FORMAT}'"),
        "generate bad.format".to_owned(),
        "generate no_file_of_that_name_is_here_and_the_name_is_longer_than_a_line_has_columns_in_most_terminals"
            .to_owned(),
        "shapes".to_owned(),
        "check tokens in in in".to_owned(),
    ]
}

/// Returns the lines that are too wide, except for those that must not be broken: messages of compilers, and names
/// longer than a line.
fn wide_lines(ran: &Ran) -> Vec<&str> {
    let stays_whole = |line: &str| line.starts_with("   | ") || line.split_whitespace().any(|word| word.len() > 60);
    let lines = ran.stdout.lines().chain(ran.stderr.lines());
    lines.filter(|line| line.width() > 80 && !stays_whole(line)).collect()
}

/// The commands without the variable `NO_COLOR`, which would be enough to have no escape codes.
static RANS: LazyLock<Vec<(String, Ran)>> = LazyLock::new(|| {
    let folder = folder();
    let run = |command: String| {
        let ran = folder.typed(&command).variable("NO_COLOR", "").run();
        (command, ran)
    };
    commands().into_iter().map(run).collect()
});

fn check_no_escape_codes(ran: &Ran) {
    assert!(!ran.stdout.contains("panicked") && !ran.stderr.contains("panicked"), "{ran}");
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'), "{ran}");
    assert!(!ran.stdout.contains('\u{7}') && !ran.stdout.contains('\r'), "{ran}");
}

#[test]
fn output_without_a_terminal_has_no_escape_codes() {
    RANS.iter().for_each(|(_, ran)| check_no_escape_codes(ran));
    // The variable takes precedence over the terminal, and changes nothing where there is none.
    check_no_escape_codes(&folder().rebut(&commands()[2]));
}

#[test]
fn colours_can_be_forced() {
    let folder = folder();
    let stress = format!("stress sol.c --reference brute.c --input '{FORMAT}' --seed 1 --cases 100 --no-save");
    assert!(folder.rebut(&format!("{stress} --color always")).exits(1).stdout.contains("\u{1b}["));
    let forced = folder.typed(&stress).variable("NO_COLOR", "").variable("CLICOLOR_FORCE", "1").run();
    assert!(forced.stdout.contains("\u{1b}["), "{forced}");
}

#[test]
fn lines_fit_into_eighty_columns() {
    for (_, ran) in RANS.iter().filter(|(command, _)| !command.contains("--verbose")) {
        assert_eq!(wide_lines(ran), Vec::<&str>::new(), "{ran}");
    }
}

#[test]
fn every_command_has_help() {
    let folder = Folder::new();
    for command in ["", "stress", "shrink", "replay", "generate", "validate", "check", "shapes"] {
        let ran = folder.rebut(&format!("{command} --help")).exits(0).shows("Usage: rebut");
        assert!(ran.stderr.is_empty() && !ran.stdout.contains('\u{1b}'), "{ran}");
    }
    folder.rebut("--version").exits(0).shows(concat!("rebut ", env!("CARGO_PKG_VERSION")));
}
