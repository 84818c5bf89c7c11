//! Effects that are forbidden: deliberate panics, printing outside `report`, global state.

use super::require_none;
use super::source::{occurrences, sources};

/// Returns the places of these patterns outside tests, except for files with a path that starts with one of `allowed`.
fn places(patterns: &[&str], allowed: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources().iter().filter(|s| !allowed.iter().any(|place| s.path.starts_with(place))) {
        let code = source.code_outside_tests();
        for pattern in patterns {
            found.extend(occurrences(code, pattern).map(|at| format!("{} {pattern}", source.place(at))));
        }
    }
    found
}

/// Impossible states are asserted with `expect` and a reason, which a lint requires. Nothing else panics.
#[test]
fn code_does_not_panic_on_purpose() {
    let found = places(&[".unwrap()", "panic!(", "todo!(", "unimplemented!("], &[]);
    require_none("return an error instead:", &found);
}

#[test]
fn only_reports_print() {
    let macros = ["print!(", "println!(", "eprint!(", "eprintln!(", "dbg!("];
    require_none(
        "only `report` and benchmarks print:",
        &places(
            &macros,
            &[
                "src/report/",
                "benches/",
                "crates/format/examples/",
                "crates/infer/examples/",
                "crates/toolchain/examples/",
                "crates/web/examples/",
            ],
        ),
    );
}

#[test]
fn code_has_no_global_state() {
    let words = ["static mut ", "thread_local!", "OnceLock", "LazyLock", "OnceCell", "LazyCell", "lazy_static"];
    let mut found = places(&words, &[]);
    found.extend(mutable_statics());
    require_none("state is passed as an argument, not kept in statics:", &found);
}

/// Returns the statics with interior mutability.
fn mutable_statics() -> Vec<String> {
    const INTERIOR_MUTABILITY: &[&str] = &["Atomic", "Mutex", "RwLock", "Cell<"];
    let mut found = Vec::new();
    for source in sources() {
        let code = source.code_outside_tests();
        for at in occurrences(code, "static ") {
            let declared = code[at..].split(['=', ';', '{']).next().unwrap_or_default();
            if declared.contains(':') && INTERIOR_MUTABILITY.iter().any(|kind| declared.contains(kind)) {
                found.push(format!("{} {}", source.place(at), declared.trim()));
            }
        }
    }
    found
}

#[test]
fn only_outer_modules_have_effects() {
    const OUTER: &[&str] = &["cli", "report"];
    let library = super::source::read("src/lib.rs");
    let (mut modules, mut is_allowed) = (Vec::new(), false);
    for line in library.lines() {
        is_allowed |= line.contains("clippy::disallowed_methods");
        if let Some(module) = line.strip_prefix("pub mod ") {
            modules.extend(is_allowed.then(|| module.trim_end_matches(';')));
            is_allowed = false;
        }
    }
    assert_eq!(modules, OUTER, "`clippy.toml` lists the effects that are forbidden in the other modules");
    let elsewhere = places(
        &["clippy::disallowed_"],
        &[
            "src/lib.rs",
            "crates/engine/src/lib.rs",
            "crates/packages/src/lib.rs",
            "crates/sandbox/src/lib.rs",
            "crates/toolchain/src/lib.rs",
            "crates/toolchain/examples/",
            "crates/infer/examples/",
            "crates/web/examples/",
            "tests/",
            "benches/",
        ],
    );
    require_none("only the roots of these crates allow effects:", &elsewhere);
}
