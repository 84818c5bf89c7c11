//! Habits: nothing panics on purpose, nothing prints but the reports, and there is no global state.

use super::require_none;
use super::source::{occurrences, sources};

/// Every place outside tests where one of these stands, but for files whose path begins with `allowed`.
fn places(patterns: &[&str], allowed: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources().iter().filter(|s| !allowed.iter().any(|place| s.path.starts_with(place))) {
        let code = source.code_outside_tests();
        for pattern in patterns {
            found.extend(occurrences(&code, pattern).map(|at| format!("{} {pattern}", source.place(at))));
        }
    }
    found
}

/// A state that cannot be is asserted, with its reason: the lints ask for one at each `expect`. Nothing else may panic.
#[test]
fn nothing_panics_on_purpose() {
    let found = places(&[".unwrap()", "panic!(", "todo!(", "unimplemented!("], &[]);
    require_none("say what went wrong with an error:", &found);
}

#[test]
fn only_reports_print() {
    let macros = ["print!(", "println!(", "eprint!(", "eprintln!(", "dbg!("];
    require_none("only `report` prints, and what measures:", &places(&macros, &["src/report/", "benches/"]));
}

#[test]
fn there_is_no_global_state() {
    let words = ["static mut ", "thread_local!", "OnceLock", "LazyLock", "OnceCell", "LazyCell", "lazy_static"];
    let mut found = places(&words, &[]);
    found.extend(changing_statics());
    require_none("state is passed on, not kept in globals:", &found);
}

/// Statics of a type that can change under a shared reference.
fn changing_statics() -> Vec<String> {
    const CHANGING: &[&str] = &["Atomic", "Mutex", "RwLock", "Cell<"];
    let mut found = Vec::new();
    for source in sources() {
        let code = source.code_outside_tests();
        for at in occurrences(&code, "static ") {
            let declared = code[at..].split(['=', ';', '{']).next().unwrap_or_default();
            if declared.contains(':') && CHANGING.iter().any(|kind| declared.contains(kind)) {
                found.push(format!("{} {}", source.place(at), declared.trim()));
            }
        }
    }
    found
}

#[test]
fn only_the_rooms_at_the_rim_have_effects() {
    const RIM: &[&str] = &["campaign", "cli", "corpus", "report", "run"];
    let library = super::source::read("src/lib.rs");
    let lines: Vec<&str> = library.lines().collect();
    let allowed = lines.windows(2).filter(|pair| pair[0].starts_with("#[allow(clippy::disallowed_methods"));
    let rooms: Vec<&str> = allowed.map(|pair| pair[1].trim_start_matches("pub mod ").trim_end_matches(';')).collect();
    assert_eq!(rooms, RIM, "clippy.toml says what the others must not do");
    let elsewhere = places(&["clippy::disallowed_"], &["src/lib.rs", "tests/", "benches/"]);
    require_none("only src/lib.rs says which rooms have effects:", &elsewhere);
}
