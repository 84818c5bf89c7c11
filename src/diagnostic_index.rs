//! The index of all diagnostics: the page of the book, embedded. A [`DiagnosticEntry`] explains one code.
//!
//! ```
//! use rebut::diagnostic_index::find_diagnostic_entry;
//!
//! let entry = find_diagnostic_entry("no-bound").expect("a code of the index");
//! assert_eq!(entry.group, "Fields");
//! ```

/// The page. Groups are sections, and the codes in them are subsections.
const PAGE: &str = include_str!("../docs/reference/diagnostics.md");

/// The entry of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiagnosticEntry {
    /// The code, as in [`Diagnostic::code`](rebut_diagnostics::Diagnostic::code).
    pub code: &'static str,
    /// The heading of the group that it belongs to.
    pub group: &'static str,
    /// The cause, and how to repair it, in Markdown.
    pub text: &'static str,
}

/// Returns all entries, in the order of the page.
pub fn diagnostic_entries() -> Vec<DiagnosticEntry> {
    let mut entries = Vec::new();
    for section in PAGE.split("\n## ").skip(1) {
        let group = section.lines().next().unwrap_or_default();
        for entry in section.split("\n### ").skip(1) {
            let (code, text) = entry.split_once('\n').unwrap_or((entry, ""));
            entries.push(DiagnosticEntry { code, group, text: text.trim() });
        }
    }
    entries
}

/// Returns the entry of a code, or `None` if the code does not exist.
pub fn find_diagnostic_entry(code: &str) -> Option<DiagnosticEntry> {
    diagnostic_entries().into_iter().find(|entry| entry.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_entry_has_a_cause_and_a_repair_and_a_code_of_its_own() {
        let entries = diagnostic_entries();
        assert!(entries.len() > 100, "{}", entries.len());
        let codes: BTreeSet<&str> = entries.iter().map(|entry| entry.code).collect();
        assert_eq!(codes.len(), entries.len());
        for DiagnosticEntry { code, group, text } in entries {
            let (cause, repair) = text.split_once("\n\n**Repair:** ").unwrap_or_default();
            assert!(!cause.is_empty() && !repair.is_empty() && !group.is_empty(), "{code}: {text}");
        }
    }

    #[test]
    fn entries_are_found_by_their_code() {
        assert_eq!(find_diagnostic_entry("tab").map(|entry| entry.group), Some("Inputs"));
        assert_eq!(find_diagnostic_entry("no-such-code"), None);
    }
}
