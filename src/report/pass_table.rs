//! A table of what each pass of shrinking did.

use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::align_right;
use super::units::format_duration;
use rebut_engine::event::ShrinkPassSummary;
use unicode_width::UnicodeWidthStr;

const INDENT: usize = 2;
/// The columns after the name of the pass.
const HEADS: [&str; 4] = ["calls", "tried", "accepted", "time"];

/// Renders a line for each pass that had anything to try.
pub(crate) fn render_pass_table(passes: &[ShrinkPassSummary]) -> Vec<StyledLine> {
    let shown: Vec<&ShrinkPassSummary> = passes.iter().filter(|pass| pass.tried > 0).collect();
    if shown.is_empty() {
        return Vec::new();
    }
    let head = "shrinking pass";
    let rows: Vec<[String; 4]> = shown.iter().map(|pass| cells_of_pass(pass)).collect();
    let names = shown.iter().map(|pass| pass.name.width()).chain([head.len()]).max().unwrap_or_default();
    let width = |column: usize| rows.iter().map(|row| row[column].width()).chain([HEADS[column].len()]).max();
    let widths: Vec<usize> = (0..HEADS.len()).filter_map(width).collect();
    let line = |style: TextStyle, name: &str, cells: &[&str]| {
        let start = StyledLine::from_plain(" ".repeat(INDENT)).add_styled(style, name).pad_to_width(INDENT + names);
        cells.iter().zip(&widths).fold(start, |line, (cell, width)| align_right(line, style, cell, *width))
    };
    let mut lines = vec![line(TextStyle::Dim, head, &HEADS)];
    lines.extend(
        shown
            .iter()
            .zip(&rows)
            .map(|(pass, row)| line(TextStyle::Plain, &pass.name, &row.each_ref().map(|cell| &**cell))),
    );
    if let idle @ 1.. = passes.len() - shown.len() {
        let noun = if idle == 1 { "other pass" } else { "other passes" };
        let text = format!("{idle} {noun} had nothing to try");
        lines.push(StyledLine::from_plain(" ".repeat(INDENT)).add_styled(TextStyle::Dim, text));
    }
    lines
}

fn cells_of_pass(pass: &ShrinkPassSummary) -> [String; 4] {
    [pass.calls.to_string(), pass.tried.to_string(), pass.accepted.to_string(), format_duration(pass.time_ms)]
}
