//! The tidy test: rules about the code that no compiler checks. It grows for ever.
//!
//! A rule reads the repository and returns what breaks it, one line each, in a form that an editor can jump to.

mod dependencies;
mod documents;
mod files;
mod functions;
mod habits;
mod layers;
mod source;

/// Fails with everything that breaks a rule.
#[track_caller]
fn require_none(rule: &str, breaches: &[String]) {
    assert!(breaches.is_empty(), "{rule}\n  {}\n", breaches.join("\n  "));
}
