//! `rebut explain`, and the index of diagnostics that it prints.

use crate::environment::{Folder, home};
use std::collections::BTreeSet;

#[test]
fn explains_the_code_below_a_message() {
    let folder = Folder::new();
    folder.rebut("generate --input n").exits(2).shows("`rebut explain no-bound` explains it");
    folder
        .rebut("explain no-bound")
        .exits(0)
        .shows_all(&["no-bound (Fields)", "Repair: Add a constraint such as `1 <= n <= 10^5`"]);
}

#[test]
fn names_several_codes_once_each() {
    let ran = Folder::new().rebut("generate --input 'n n m where 1<=m<=2; 5; 6'").exits(2);
    ran.shows("3 errors; `rebut explain CODE` explains declared-twice, not-a-constraint");
}

#[test]
fn proposes_the_nearest_code_and_lists_all() {
    let folder = Folder::new();
    folder.rebut("explain no-bond").exits(2).shows("did you mean `no-bound`?");
    folder.rebut("explain xyzzyxyzzy").exits(2).shows("`rebut explain` lists all codes");
    folder.rebut("explain").exits(0).shows_all(&["Layout of a format", "ctd-precedence"]);
}

/// Returns the codes of all messages in the sources, except for tests.
fn codes_in_sources() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    let folders = [
        "crates/codegen/src",
        "crates/diagnostics/src",
        "crates/engine/src",
        "crates/format/src",
        "crates/import/src",
        "crates/packages/src",
        "crates/sandbox/src",
        "crates/toolchain/src",
        "src",
    ]
    .map(|name| home().join(name));
    let files = folders.into_iter().flat_map(walkdir::WalkDir::new).map(|entry| entry.unwrap().into_path());
    for path in
        files.filter(|path| path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs"))
    {
        let text = std::fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let calls = ["Diagnostic::error(", "Diagnostic::warning("];
        for rest in calls.iter().flat_map(|call| code.split(call).skip(1)) {
            codes
                .extend(rest.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next()).map(str::to_owned));
        }
    }
    codes
}

/// Codes of recipes and of lines of formats, which are arguments of helper functions.
const PASSED_ON: [&str; 6] = ["copy", "expected-name", "expected-text", "file", "no-format", "sentinel"];

#[test]
fn index_contains_exactly_the_codes_in_use() {
    let made: BTreeSet<String> = codes_in_sources().into_iter().chain(PASSED_ON.map(str::to_owned)).collect();
    let listed: BTreeSet<String> =
        rebut::diagnostic_index::diagnostic_entries().iter().map(|entry| entry.code.to_owned()).collect();
    assert_eq!(made, listed, "docs/reference/diagnostics.md lists every code with its cause and repair");
}
