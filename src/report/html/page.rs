//! The frame of a page: its head, its styles, and the way from a template to text.

use crate::report::escape::escape_lines;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The styles of all pages.
const STYLES: &str = include_str!("style.css");
/// The only script that a page may run.
const SORT_SCRIPT: &str = include_str!("sort.js");
/// Its SHA-256 in base 64.
const SORT_SCRIPT_SHA256: &str = "OMm7yZbzCcBk3qV++TYsChcNxPjX+TPMUPmWLQRK7uc=";

/// Head of a page.
pub(super) struct PageHead<'a> {
    /// The title.
    pub(super) title: &'a str,
    /// Whether something is not as it should be.
    pub(super) is_failed: bool,
    /// Whether there is a matrix, so that its rows can be sorted.
    pub(super) has_matrix: bool,
}

/// Returns the text of a page with this body.
pub(super) fn finish_page(head: &PageHead<'_>, body: &Markup) -> String {
    // Nothing can be loaded, and nothing but the script for sorting can run, even if a text could add an element.
    let script_policy =
        if head.has_matrix { format!("; script-src 'sha256-{SORT_SCRIPT_SHA256}'") } else { String::new() };
    let policy = format!("default-src 'none'; style-src 'unsafe-inline'; img-src data:{script_policy}");
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(policy);
                title { (if head.is_failed { "\u{2717} " } else { "\u{2713} " }) (head.title) " - rebut" }
                style { (PreEscaped(STYLES)) }
            }
            body {
                header { h1 { (head.title) } }
                main { (body) }
                footer { p { "Written by rebut " (env!("CARGO_PKG_VERSION")) } }
                @if head.has_matrix { script { (PreEscaped(SORT_SCRIPT)) } }
            }
        }
    };
    finish_text(page)
}

/// Returns the text of a document. Control characters, and characters that are invisible or change the direction of
/// text, become visible ones wherever they occur.
pub(super) fn finish_text(document: Markup) -> String {
    escape_lines(&document.into_string())
}

/// Renders whether a result is as it should be, as a sign and a word.
pub(super) fn result_mark(is_good: bool, word: &str) -> Markup {
    html! {
        @if is_good { span.mark.good { "\u{2713} " (word) } }
        @else { span.mark.bad { "\u{2717} " (word) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::BASE64;
    use sha2::{Digest as _, Sha256};

    #[test]
    fn policy_permits_the_script() {
        assert_eq!(BASE64.encode(&Sha256::digest(SORT_SCRIPT)), SORT_SCRIPT_SHA256);
        assert_eq!(finish_text(PreEscaped(SORT_SCRIPT.to_owned())), SORT_SCRIPT, "nothing in it is escaped");
    }
}
