//! Renders the conversation of a submission with an interactor.

use super::ReportOptions;
use super::listing::{count_lines, split_lines};
use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::{truncate_to_width, wrap_words};
use rebut_diagnostics::count_with_noun;
use rebut_engine::event::Finding;

/// Number of leading lines shown of a long conversation.
const MAX_FIRST_LINES: usize = 8;
/// Number of trailing lines shown of a long conversation; the end explains most failures.
const MAX_LAST_LINES: usize = 16;

/// Renders the beginning and the end of a conversation, with a legend.
pub(crate) fn render_conversation(found: &Finding, options: &ReportOptions) -> Vec<StyledLine> {
    let title = StyledLine::from_plain("  ").add_styled(TextStyle::Dim, "conversation").add_plain("  ");
    let name = found.failure.submission.rsplit('/').next().unwrap_or_default();
    let legend = format!("(seconds since the start; < {name} reads, > {name} writes)");
    let mut lines = wrap_words(title, &legend, options.width);
    let total = count_lines(&found.run.output);
    if total == 0 {
        lines.push(StyledLine::from_plain("  ").add_styled(TextStyle::Dim, "(empty)"));
        return lines;
    }
    // Omitting a single line would save nothing, because the note takes a line as well.
    let omitted = if options.all_rows { 0 } else { total.saturating_sub(MAX_FIRST_LINES + MAX_LAST_LINES) };
    let omitted = if omitted > 1 { omitted } else { 0 };
    for (number, line) in split_lines(&found.run.output).enumerate() {
        if omitted > 0 && number == MAX_FIRST_LINES {
            let place = found
                .saved
                .folder
                .as_ref()
                .map(|folder| format!("; full text: {}", folder.join("output.txt").display()));
            let note = format!("... {} omitted{}", count_with_noun(omitted, "line"), place.unwrap_or_default());
            lines.push(StyledLine::from_plain("  ").add_styled(TextStyle::Dim, note));
        }
        if omitted == 0 || number < MAX_FIRST_LINES || number >= MAX_FIRST_LINES + omitted {
            lines.push(render_line(line, options));
        }
    }
    lines
}

/// Renders one line, in bold if the submission wrote it.
fn render_line(line: &[u8], options: &ReportOptions) -> StyledLine {
    let (text, _) = truncate_to_width(line, options.width.saturating_sub(2));
    let writes = text.split_whitespace().nth(1) == Some(">");
    StyledLine::from_plain("  ").add_styled(if writes { TextStyle::Bold } else { TextStyle::Plain }, text)
}
