//! Renders a page as HTML.

use super::chart::render_chart;
use super::page::{render_figure, render_image, render_message};
use crate::report::lines::diagnostic_lines;
use crate::report::listing::{count_lines, mark_trailing_blanks, split_lines, truncation_note};
use crate::report::markdown::capitalize_first;
use crate::report::output_diff::diff_table;
use crate::report::page::{Block, Listing, Medium, OutputDiff, Page, Table};
use crate::report::styled_line::{StyledLine, TextStyle, truncate_to_width};
use maud::{Markup, html};

/// Maximum number of lines shown of a text.
const MAX_LINES: usize = 40;

/// Maximum number of columns shown of a line.
const MAX_COLUMNS: usize = 300;

/// Maximum number of texts of a list with a title that is unfolded.
const MAX_LISTED: usize = 8;

/// Renders a page. Sentences and lists without a title that follow each other are rows of one list of facts.
pub(super) fn render_page(page: &Page<'_>) -> Markup {
    let mut blocks = Vec::new();
    collect_blocks(page, &mut blocks);
    html! {
        @for group in blocks.chunk_by(|one, next| is_fact(one) && is_fact(next)) {
            @if is_fact(group[0]) { (render_facts(group)) } @else { (render_block(group[0])) }
        }
    }
}

/// Collects the blocks that HTML shows.
fn collect_blocks<'p, 'a>(page: &'p Page<'a>, blocks: &mut Vec<&'p Block<'a>>) {
    for block in &page.blocks {
        match block {
            Block::Only(Medium::Html, page) => collect_blocks(page, blocks),
            Block::Parts(parts) => parts.iter().for_each(|page| collect_blocks(page, blocks)),
            Block::Only(..) | Block::Gap => {}
            block => blocks.push(block),
        }
    }
}

fn is_fact(block: &Block<'_>) -> bool {
    matches!(block, Block::Note(_)) || matches!(block, Block::List(list) if list.title.is_empty())
}

/// Renders sentences with their labels, or as a plain list if none has one.
fn render_facts(blocks: &[&Block<'_>]) -> Markup {
    let mut facts: Vec<(StyledLine, &str)> = Vec::new();
    for block in blocks {
        match block {
            Block::Note(note) => facts.push((trim_label(&note.head), &note.text)),
            Block::List(list) => {
                let labels = [trim_label(&list.head)].into_iter().chain(std::iter::repeat_with(StyledLine::new));
                facts.extend(labels.zip(&list.items).map(|(label, item)| (label, item.as_str())));
            }
            _ => {}
        }
    }
    let has_labels = facts.iter().any(|(label, _)| !label.is_empty());
    html! {
        @if has_labels {
            dl.facts {
                @for (label, text) in &facts {
                    @if !label.is_empty() { dt { (render_line(label)) } }
                    dd { (render_message(text)) }
                }
            }
        } @else if !facts.is_empty() {
            ul.plain { @for (_, text) in &facts { li { (render_message(text)) } } }
        }
    }
}

/// Returns the words of a head without the spaces and colons around them, with a capital unless it is a name.
fn trim_label(head: &StyledLine) -> StyledLine {
    let mut label = StyledLine::new();
    for (style, text) in head.pieces() {
        let text = text.trim_matches([' ', ':']);
        if text.is_empty() {
            continue;
        }
        let is_word = *style != TextStyle::Code && text.chars().all(|c| c.is_ascii_lowercase() || c == ' ');
        let shown = if label.is_empty() && is_word { capitalize_first(text) } else { text.to_owned() };
        let style = if matches!(style, TextStyle::Dim | TextStyle::Copyable) { TextStyle::Plain } else { *style };
        let space = if label.is_empty() { "" } else { " " };
        label = label.add_plain(space).add_styled(style, shown);
    }
    label
}

/// Renders the pieces of a line.
pub(super) fn render_line(line: &StyledLine) -> Markup {
    html! {
        @for (style, text) in line.pieces() {
            @match style {
                TextStyle::Plain => (render_message(text)),
                TextStyle::Dim => span.note { (text) },
                TextStyle::Bold => strong { (text) },
                TextStyle::Success => span.mark.good { (text) },
                TextStyle::Failure | TextStyle::Warning => span.mark.bad { (text) },
                TextStyle::Expected => ins { (text) },
                TextStyle::Unexpected => del { (text) },
                TextStyle::Copyable => code.command { (text) },
                TextStyle::Code => code { (text) },
                TextStyle::Kept => span.swatch {},
                TextStyle::Bar => {
                    svg.bar width="100" height="10" aria-hidden="true" {
                        rect.total width="100" height="10" {}
                        rect.part width=(text) height="10" {}
                    }
                    " "
                },
            }
        }
    }
}

fn render_block(block: &Block<'_>) -> Markup {
    match block {
        Block::Heading(2, text) => html! { h2 { (render_line(text)) } },
        Block::Heading(3, text) => html! { h3 { (render_line(text)) } },
        Block::Heading(_, text) | Block::Title(text) => html! { h4 { (render_line(text)) } },
        Block::Line(line) => html! { p { (render_line(line)) } },
        Block::Flow(head, facts, _) => html! {
            p { (render_line(head)) @for fact in facts { (render_line(fact)) " " } }
        },
        Block::List(list) => html! {
            details open[list.items.len() <= MAX_LISTED] {
                summary { (list.title) ": " (list.items.len()) }
                ul.plain { @for item in &list.items { li { (render_message(item)) } } }
            }
        },
        Block::Table(table) => render_table(table, false),
        Block::Listing(listing) => render_listing(listing),
        Block::Source(lines) => render_source(lines),
        Block::Diagnostic(text) => render_source(&diagnostic_lines(text, usize::MAX)),
        Block::Diff(diff) => render_diff(diff),
        Block::Chart(chart) => render_chart(chart),
        Block::Figure(figure) => render_figure(figure),
        Block::Image(image) => render_image(image),
        Block::Pair(left, right, _) => match right.is_empty() {
            true => render_page(left),
            false => html! { div.pair { div { (render_page(left)) } div { (render_page(right)) } } },
        },
        Block::Fold(summary, is_open, page) => html! {
            details open[*is_open] { summary { (render_line(summary)) } (render_page(page)) }
        },
        Block::Gap | Block::Note(_) | Block::Parts(_) | Block::Only(..) => html! {},
    }
}

fn render_source(lines: &[StyledLine]) -> Markup {
    html! { pre.listing tabindex="0" { @for line in lines { (render_line(line)) "\n" } } }
}

fn render_table(table: &Table, is_diff: bool) -> Markup {
    let is_changed = |row: &[StyledLine]| is_diff && row[0].pieces().len() > 1;
    html! {
        div.scroll tabindex="0" role="group" aria-label=(table.title) {
            table class=[is_diff.then_some("diff")] {
                thead { tr { @for column in &table.columns { th scope="col" { (capitalize_first(&column.title.plain_text())) } } } }
                tbody {
                    @for row in &table.rows {
                        tr class=[is_changed(row).then_some("changed")] {
                            @for (at, (cell, column)) in row.iter().zip(&table.columns).enumerate() {
                                @if at == 0 { th scope="row" { (render_line(cell)) } }
                                @else if column.is_number { td.number { (render_line(cell)) } }
                                @else { td { (render_line(cell)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Renders expected and actual lines next to each other.
fn render_diff(diff: &OutputDiff<'_>) -> Markup {
    match diff_table(diff) {
        Some((table, summary)) => html! { (render_table(&table, true)) p.note { (summary) } },
        None => html! { div.pair { @for listing in diff.listings() { (render_listing(&listing)) } } },
    }
}

/// Renders the first lines of a text below its title. A message has none.
fn render_listing(listing: &Listing<'_>) -> Markup {
    if listing.title.is_empty() {
        return html! { pre.message { (String::from_utf8_lossy(listing.text)) } };
    }
    let (mut cuts, mut shown) = (0, String::new());
    for line in split_lines(listing.text).take(MAX_LINES) {
        let (line, is_whole) = truncate_to_width(line, MAX_COLUMNS);
        cuts += usize::from(!is_whole);
        let (text, blanks) = mark_trailing_blanks(&line);
        shown.extend([text, &blanks, "\n"]);
    }
    let more = count_lines(listing.text).saturating_sub(MAX_LINES);
    let note = truncation_note(more, cuts, listing.text, None);
    html! {
        figure {
            figcaption { (render_message(&capitalize_first(&listing.title))) }
            @if !listing.text.is_empty() { pre.listing tabindex="0" { (shown) } }
            @if let Some(note) = note { p.note { (note) } }
        }
    }
}
