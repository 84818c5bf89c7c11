//! The frame of a page: its head, its styles, and the way from a template to text.

use crate::report::escape::escape_lines;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The styles of all pages.
const STYLES: &str = include_str!("style.css");
/// Nothing can be loaded and nothing can run, even if a text could add an element.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// Maximum number of parts of a message in which code stands out.
const MAX_PARTS: usize = 100;

pub(super) struct PageHead<'a> {
    /// The title.
    pub(super) title: &'a str,
    /// Whether something is not as it should be.
    pub(super) is_failed: bool,
}

/// Returns the text of a page with this body.
pub(super) fn finish_page(head: &PageHead<'_>, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (if head.is_failed { "\u{2717} " } else { "\u{2713} " }) (head.title) " - rebut" }
                style { (PreEscaped(STYLES)) }
            }
            body {
                header { h1 { (head.title) } }
                main { (body) }
                footer { p { "Written by rebut " (env!("CARGO_PKG_VERSION")) } }
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

/// Renders a message; what is between backticks in it is code, unless these are the names of a long list.
pub(super) fn render_message(message: &str) -> Markup {
    let parts: Vec<&str> = message.split('`').collect();
    html! {
        @if parts.len().is_multiple_of(2) { (message) }
        @else if parts.len() > MAX_PARTS { (parts.concat()) }
        @else {
            @for (i, part) in parts.iter().enumerate() { @if i % 2 == 1 { code { (part) } } @else { (part) } }
        }
    }
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

    #[test]
    fn code_in_messages_is_between_backticks() {
        let rendered = |message| render_message(message).into_string();
        assert_eq!(rendered("wrong on `a<b`, not `c`"), "wrong on <code>a&lt;b</code>, not <code>c</code>");
        assert_eq!(rendered("one ` is text"), "one ` is text");
    }
}
