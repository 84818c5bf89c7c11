//! Renders a finding on the terminal.

use super::escape::escape_message;
use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::{join_columns, truncate_to_width, wrap_words};
use super::units::{format_bytes, format_duration};
use super::{
    ReportOptions, board_view, conversation, crash, finding_heading, listing, output_diff, pass_table, slowness,
};
use rebut_engine::event::{Finding, FindingProof, FindingRun, JudgeKind, SavedFinding};
use rebut_format::language::Format;
use rebut_packages::verdict::Verdict;

/// Number of columns between the input and the board.
const COLUMN_GAP: usize = 4;
/// Maximum number of lines shown of a message.
const MAX_MESSAGE_LINES: usize = 12;
/// Maximum width of a message line, in columns.
const MAX_MESSAGE_COLUMNS: usize = 600;

/// The surroundings of a finding: the options, and what is known about the search.
pub(crate) struct FindingContext<'a> {
    /// The input format, if known.
    pub(crate) format: Option<&'a Format>,
    /// The name of the reference, if any.
    pub(crate) reference: Option<&'a str>,
    /// How to render the finding.
    pub(crate) options: &'a ReportOptions,
}

/// Renders a finding as blocks separated by empty lines.
pub(crate) fn render_finding(found: &Finding, context: &FindingContext<'_>) -> Vec<StyledLine> {
    let options = context.options;
    let blocks = [
        finding_heading::render_heading(found, context.reference, options.width),
        render_input(found, context.format, options),
        render_smaller_input(&found.proof, options),
        render_outputs(found, options),
        render_reason(found, options),
        found.slowness.as_ref().map(|slow| slowness::render_slowness(slow, options)).unwrap_or_default(),
        found.failure.sanitizer.as_ref().map(|note| crash::render_sanitizer_note(note, options)).unwrap_or_default(),
        render_error_output(found, options),
        if options.verbose { pass_table::render_pass_table(&found.minimization.passes) } else { Vec::new() },
        render_locations(&found.saved, options.width),
    ];
    let mut lines = Vec::new();
    for block in blocks.into_iter().filter(|block| !block.is_empty()) {
        if !lines.is_empty() {
            lines.push(StyledLine::new());
        }
        lines.extend(block);
    }
    lines
}

/// Renders the input, and its board if it has one. A compile error has no input.
fn render_input(found: &Finding, format: Option<&Format>, options: &ReportOptions) -> Vec<StyledLine> {
    if found.failure.verdict == Verdict::CompileError {
        return Vec::new();
    }
    let full_text = found.saved.folder.as_ref().map(|folder| folder.join("input.txt").display().to_string());
    let text = listing::render_listing("input", &found.run.input, full_text.as_deref(), options);
    match format.and_then(|format| board_view::render_board(format, &found.run.input)) {
        Some(board) => join_columns(text, board, COLUMN_GAP, options.width),
        None => text,
    }
}

/// Renders the smaller input that also fails, if a replay found one.
fn render_smaller_input(proof: &FindingProof, options: &ReportOptions) -> Vec<StyledLine> {
    proof.smaller_input.as_ref().map_or(Vec::new(), |smaller| {
        listing::render_listing("a smaller input that also fails", smaller.as_bytes(), None, options)
    })
}

/// Renders the outputs next to each other, if the verdict depends on their difference.
fn render_outputs(found: &Finding, options: &ReportOptions) -> Vec<StyledLine> {
    match (found.run.judged_by, found.failure.verdict) {
        (_, Verdict::CompileError) => return Vec::new(),
        (JudgeKind::Conversation, _) => return conversation::render_conversation(found, options),
        (JudgeKind::Program, Verdict::WrongAnswer | Verdict::PresentationError) => {
            let answer = listing::render_listing("an answer", &found.run.answer, None, options);
            return join_columns(
                answer,
                listing::render_listing("output", &found.run.output, None, options),
                COLUMN_GAP,
                options.width,
            );
        }
        _ => {}
    }
    match found.failure.verdict {
        Verdict::WrongAnswer | Verdict::PresentationError => output_diff::render_output_diff(found, options),
        // Two outputs of a judge program, for example of a nondeterministic reference.
        Verdict::JudgeError if !found.run.output.is_empty() && found.run.output != found.run.answer => {
            output_diff::render_output_diff(found, options)
        }
        _ => Vec::new(),
    }
}

/// Renders the message, resource usage if a limit was exceeded, and hints.
fn render_reason(found: &Finding, options: &ReportOptions) -> Vec<StyledLine> {
    let mut lines = Vec::new();
    for paragraph in found.failure.message.lines().filter(|line| !line.trim().is_empty()).take(MAX_MESSAGE_LINES) {
        lines.extend(wrap_words(StyledLine::from_plain("  "), &truncate_message_line(paragraph), options.width));
    }
    if matches!(found.failure.verdict, Verdict::TimeLimit | Verdict::MemoryLimit) {
        lines.push(resource_usage_line(&found.run));
    }
    for hint in &found.failure.hints {
        lines.extend(wrap_words(
            StyledLine::from_plain("  ").add_styled(TextStyle::Dim, "hint").add_plain(": "),
            &truncate_message_line(hint),
            options.width,
        ));
    }
    lines
}

/// Escapes and truncates a line of a message, which may be the output of a checker.
fn truncate_message_line(line: &str) -> String {
    truncate_to_width(escape_message(line).as_bytes(), MAX_MESSAGE_COLUMNS).0
}

fn resource_usage_line(run: &FindingRun) -> StyledLine {
    let (time, memory) = (format_duration(run.cpu_time_ms), format_bytes(run.memory_peak_bytes));
    StyledLine::from_plain("  ")
        .add_styled(TextStyle::Dim, "time ")
        .add_plain(time)
        .add_styled(TextStyle::Dim, "   memory ")
        .add_plain(memory)
}

/// Renders the error output; debug output does not help with a wrong answer, and is shown only if verbose.
fn render_error_output(found: &Finding, options: &ReportOptions) -> Vec<StyledLine> {
    match found.failure.verdict {
        Verdict::WrongAnswer | Verdict::PresentationError if !options.verbose => Vec::new(),
        Verdict::CompileError => crash::render_compiler_output(&found.run.stderr, options),
        _ => crash::render_stderr(&found.run.stderr, options),
    }
}

/// Renders the finding's folder, if it was saved, and the command that replays it. Both are meant to be copied, so they
/// are never cut.
fn render_locations(saved: &SavedFinding, width: usize) -> Vec<StyledLine> {
    let mut lines = Vec::new();
    if let Some(folder) = &saved.folder {
        lines.extend(render_copyable("finding", &folder.join("").display().to_string(), width));
    }
    if let Some(replay) = &saved.replay {
        lines.extend(render_copyable("replay", replay, width));
    }
    lines
}

/// Renders a text to be copied: on the line of its label if it fits, else on the next line, from the first column.
fn render_copyable(label: &str, text: &str, width: usize) -> Vec<StyledLine> {
    let head = StyledLine::from_plain("  ").add_styled(TextStyle::Dim, format!("{label:<9}"));
    let text = StyledLine::new().add_styled(TextStyle::Copyable, text).into_uncut();
    if head.width() + text.width() <= width { vec![head.append_line(text)] } else { vec![head, text] }
}
