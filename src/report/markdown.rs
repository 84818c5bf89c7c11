//! Renders a page as Markdown.

use super::escape::escape_message;
use super::listing::{count_lines, split_lines};
use super::page::{Block, Listing, Medium, Page};
use super::styled_line::truncate_to_width;
use rebut_diagnostics::count_with_noun;

/// Maximum number of lines quoted of a file; the folder has the whole file.
const MAX_LINES: usize = 20;

/// Maximum width of a quoted line, in columns.
const MAX_COLUMNS: usize = 100;

/// Renders a page, with an empty line between blocks.
pub(crate) fn render_page(page: &Page<'_>) -> String {
    let mut blocks = Vec::new();
    collect_blocks(page, &mut blocks);
    blocks.join("\n\n") + "\n"
}

fn collect_blocks(page: &Page<'_>, blocks: &mut Vec<String>) {
    for block in &page.blocks {
        match block {
            Block::Heading(level, text) => {
                blocks.push(format!("{} {}", "#".repeat((*level).into()), escape_markdown(&text.plain_text())));
            }
            // The texts of lists are Markdown.
            Block::List(list) => blocks
                .push(list.items.iter().map(|item| format!("- {item}\n")).collect::<String>().trim_end().to_owned()),
            Block::Listing(listing) => push_listing(listing, blocks),
            Block::Pair(left, right, _) => [left, right].iter().for_each(|page| collect_blocks(page, blocks)),
            Block::Only(Medium::Markdown, page) => collect_blocks(page, blocks),
            _ => {}
        }
    }
}

/// Adds the lines of a file below a heading, if it has a title.
fn push_listing(listing: &Listing<'_>, blocks: &mut Vec<String>) {
    if !listing.title.is_empty() {
        blocks.push(format!("## {}", capitalize_first(&listing.title)));
    }
    let lines = count_lines(listing.text);
    match &listing.full_text {
        Some(file) if lines == 0 => blocks.push(format!("`{file}` is empty.")),
        Some(file) if lines > MAX_LINES => {
            let more = count_with_noun(lines - MAX_LINES, "more line");
            blocks.extend([fenced_block(listing.text), format!("{more} in `{file}`.")]);
        }
        _ => blocks.push(fenced_block(listing.text)),
    }
}

/// Returns a code block with a fence that is longer than any run of backticks in the text.
pub(super) fn fenced_block(content: &[u8]) -> String {
    let shown: Vec<String> =
        split_lines(content).take(MAX_LINES).map(|line| truncate_to_width(line, MAX_COLUMNS).0).collect();
    let longest = shown.iter().flat_map(|line| line.split(|c| c != '`')).map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}text\n{}\n{fence}", shown.join("\n"))
}

/// Escapes text for use within a line of Markdown.
pub(crate) fn escape_markdown(text: &str) -> String {
    let mut shown = String::new();
    for c in escape_message(&text.replace(['\n', '\r'], " ")).chars() {
        if "\\`*_[]<>#|".contains(c) {
            shown.push('\\');
        }
        shown.push(c);
    }
    shown
}

/// Returns a text with a capital at its beginning.
pub(crate) fn capitalize_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_longer_than_the_backticks_in_the_text() {
        assert_eq!(fenced_block(b"1 2\n"), "```text\n1 2\n```");
        assert!(fenced_block(b"a ````` b\n").starts_with("``````text\n"));
    }

    #[test]
    fn long_files_are_cut_and_counted() {
        let quoted = |text: &[u8]| {
            let listing = Listing { title: "input".to_owned(), text, full_text: Some("input.txt".to_owned()) };
            render_page(&Page::from_block(Block::Listing(listing)))
        };
        assert_eq!(quoted(b""), "## Input\n\n`input.txt` is empty.\n");
        let long = quoted(&b"7\n".repeat(MAX_LINES + 2));
        assert!(long.ends_with("2 more lines in `input.txt`.\n"), "{long}");
        assert_eq!(long.lines().filter(|line| *line == "7").count(), MAX_LINES);
    }

    #[test]
    fn markup_in_messages_is_escaped() {
        assert_eq!(escape_markdown("a*b_c\n[d]"), "a\\*b\\_c \\[d\\]");
    }
}
