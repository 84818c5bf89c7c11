//! `rebut explain`: the cause of a diagnostic, and how to repair it.

use super::args::ExplainCodeArgs;
use super::exit_status::ExitStatus;
use super::session::Session;
use crate::diagnostic_index::{diagnostic_entries, find_diagnostic_entry};
use crate::report::wrap_plain_text;
use rebut_diagnostics::{Error, Result, suggestion_or};

pub(super) fn run_explain(command: &ExplainCodeArgs, session: &mut Session) -> Result<ExitStatus> {
    let text = match &command.code {
        Some(code) => explain_code(code, session.options.width)?,
        None => list_codes(session.options.width),
    };
    session.write_stdout_text(&text)?;
    Ok(ExitStatus::Success)
}

/// Returns the entry of a code as plain text.
fn explain_code(code: &str, width: usize) -> Result<String> {
    let Some(entry) = find_diagnostic_entry(code) else {
        let error = Error::usage_error(format!("there is no diagnostic `{code}`"));
        let codes = diagnostic_entries().into_iter().map(|entry| entry.code);
        return Err(error.with_help(suggestion_or(code, codes, "`rebut explain` lists all codes")));
    };
    let mut text = format!("{code} ({})\n", entry.group);
    for paragraph in entry.text.split("\n\n") {
        let plain = remove_link_targets(&paragraph.replace("**", "").replace('\n', " "));
        text.push('\n');
        text.push_str(&wrap_plain_text("  ", &plain, width));
    }
    Ok(text)
}

/// Returns all codes, below the names of their groups.
fn list_codes(width: usize) -> String {
    let mut text = String::new();
    let entries = diagnostic_entries();
    for group in entries.chunk_by(|a, b| a.group == b.group) {
        let codes: Vec<&str> = group.iter().map(|entry| entry.code).collect();
        text.push_str(&format!("{}\n{}\n", group[0].group, wrap_plain_text("  ", &codes.join(" "), width)));
    }
    text + "`rebut explain CODE` explains one.\n"
}

/// Replaces each link, `[text](target)`, by its text.
fn remove_link_targets(markdown: &str) -> String {
    let mut parts = markdown.split("](");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let Some((_, rest)) = part.split_once(')') else { return markdown.to_owned() };
        if let Some(open) = plain.rfind('[') {
            plain.remove(open);
        }
        plain.push_str(rest);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_their_text() {
        assert_eq!(remove_link_targets("see [a](b.md#c), `x[i]`, [d](e)."), "see a, `x[i]`, d.");
        assert_eq!(remove_link_targets("`a[n]` (no link)"), "`a[n]` (no link)");
    }
}
