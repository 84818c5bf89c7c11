//! Rebut and an independent checker agree on what is valid. The checker is in Python and was written from docs/format.md alone.

use crate::environment::{home, installed};
use std::process::Command;

/// Runs `scripts/agree-formats` and fails with what it prints, if there is a disagreement.
fn agree(arguments: &[&str]) {
    if !installed(&["python3"]) {
        return;
    }
    let output = Command::new("python3")
        .arg(home().join("scripts/agree-formats"))
        .args(arguments)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(home())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn independent_checker_judges_the_page_on_the_format_as_it_says() {
    agree(&["--page", "docs/format.md"]);
}

#[test]
fn independent_checker_agrees_on_small_inputs_of_random_formats() {
    let binary = env!("CARGO_BIN_EXE_rebut");
    agree(&["--binary", binary, "--seed", "7", "--formats", "16", "--inputs", "120"]);
}

#[test]
fn independent_checker_agrees_on_rows_in_brackets() {
    let format = tempfile::NamedTempFile::new().unwrap();
    let text = "n (w[n][2]) k\nx\nwhere:\n    0 <= n <= 2\n    w over \"ab\"\n    0 <= k, x <= 1\n";
    std::fs::write(format.path(), text).unwrap();
    let binary = env!("CARGO_BIN_EXE_rebut");
    agree(&["--binary", binary, "--format", &format.path().display().to_string(), "--inputs", "120"]);
}
