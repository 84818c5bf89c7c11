//! Tidy tests: rules about the code that no compiler checks.
//!
//! A rule reads the repository and returns its violations, one line each, in a form that an editor can jump to.

mod cycles;
mod dependencies;
mod documents;
mod effects;
mod files;
mod functions;
mod layers;
mod module_graph;
mod source;
mod workflows;

/// Panics with the violations of a rule, if it has any.
#[track_caller]
fn require_none(rule: &str, breaches: &[String]) {
    assert!(breaches.is_empty(), "{rule}\n  {}\n", breaches.join("\n  "));
}
