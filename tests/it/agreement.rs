//! rebut and an independent checker agree on which inputs are valid. The checker is in Python and was written from
//! docs/format.md alone.

use crate::environment::{home, installed};
use std::process::Command;

/// Runs `scripts/agree-formats` and fails with its output if there is a disagreement.
fn check_agreement(arguments: &[&str]) {
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
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn independent_checker_agrees_with_the_format_page() {
    check_agreement(&["--page", "docs/format.md"]);
}

#[test]
fn independent_checker_agrees_on_small_inputs_of_random_formats() {
    let binary = env!("CARGO_BIN_EXE_rebut");
    check_agreement(&["--binary", binary, "--seed", "7", "--formats", "16", "--inputs", "120"]);
}

#[test]
fn independent_checker_agrees_on_rows_in_brackets() {
    let format = tempfile::NamedTempFile::new().unwrap();
    let text = "n (w[n][2]) k\nx\nwhere:\n    0 <= n <= 2\n    w over \"ab\"\n    0 <= k, x <= 1\n";
    std::fs::write(format.path(), text).unwrap();
    let binary = env!("CARGO_BIN_EXE_rebut");
    check_agreement(&["--binary", binary, "--format", &format.path().display().to_string(), "--inputs", "120"]);
}
