//! The list of checkers, as `rebut check` prints it.

use rebut_checkers::CHECKERS;
use std::fmt::Write as _;

/// Width of the name column; the summary of a checker with a longer name goes on the next line.
const MAX_NAME_COLUMNS: usize = 28;

/// Lists the checkers with their summaries.
pub(super) fn list_checkers() -> String {
    let mut text = "Checkers:\n".to_owned();
    for checker in CHECKERS {
        let gap = if checker.name.len() > MAX_NAME_COLUMNS {
            format!("\n{:indent$}", "", indent = MAX_NAME_COLUMNS + 2)
        } else {
            String::new()
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {:MAX_NAME_COLUMNS$}{gap}  {}", checker.name, checker.summary);
    }
    text.push_str("\nA checker can also be a program, such as `--checker check.cpp`; see docs/checkers.md.\n");
    text
}
