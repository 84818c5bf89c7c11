//! A finding: on a terminal as blocks that explain it, in documents with everything known about it.

use super::board::render_board;
use super::finding_notes::{brief_note, choices_note, flakiness_note, proof_notes, shrinking_note};
use super::growth::slowness_facts;
use crate::report::ReportOptions;
use crate::report::escape::escape_message;
use crate::report::listing::{count_lines, split_lines};
use crate::report::markdown::escape_markdown;
use crate::report::page::{
    Block, Chart, ChartSeries, Column, Listing, Medium, Note, OutputDiff, Page, SeriesKind, Table,
};
use crate::report::styled_line::{StyledLine, TextStyle, truncate_to_width};
use crate::report::units::{format_bytes, format_duration};
use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::{
    Finding, FindingFailure, FindingImage, FindingMinimization, FindingRun, JudgeKind, SanitizerFinding, SavedFinding,
    ShrinkPassSummary,
};
use rebut_format::language::Format;
use rebut_format::picture::{Figure, figures_of_input, mark_kept};
use rebut_format::read::read_input;
use rebut_packages::verdict::Verdict;
use std::path::Path;

/// Maximum number of pictures of an input that is one of many.
pub(crate) const MAX_FIGURES: usize = 4;

/// Maximum length of an input that is drawn.
const MAX_DRAWN_BYTES: usize = 1 << 16;

/// Number of columns between the input and the board.
const COLUMN_GAP: usize = 4;

/// Maximum number of lines shown of a message.
const MAX_MESSAGE_LINES: usize = 12;

/// Maximum width of a message line, in columns.
const MAX_MESSAGE_COLUMNS: usize = 600;

/// Indentation of the lines below a heading.
const INDENT: usize = 6;

/// Number of leading lines shown of a long conversation.
const MAX_FIRST_LINES: usize = 8;

/// Number of trailing lines shown of a long conversation; the end explains most failures.
const MAX_LAST_LINES: usize = 16;

/// Maximum number of lines shown of a program's standard error: the last ones, which explain most crashes.
const MAX_STDERR_LINES: usize = 12;

/// Maximum number of lines shown of a compiler's output: later messages are often consequences of the first.
const MAX_COMPILER_LINES: usize = 24;

/// Maximum width of a line that another program wrote, in columns.
const MAX_QUOTED_COLUMNS: usize = 1000;

/// The title of a conversation in documents.
const CONVERSATION: &str = "conversation: seconds, `<` the submission reads, `>` it writes";

/// Returns a finding as parts that an empty line separates. `reference` is the name of the reference if there is one, and
/// `format` is needed to draw the board of an input.
pub(crate) fn finding_page<'a>(
    found: &'a Finding,
    reference: Option<&str>,
    format: Option<&Format>,
    options: &ReportOptions,
) -> Page<'a> {
    let mut smaller = Page::default();
    if let Some(input) = &found.proof.smaller_input {
        smaller.add_listing("a smaller input that also fails", input.as_bytes());
    }
    Page::from_block(Block::Parts(vec![
        heading(found, reference),
        input_with_board(found, format),
        smaller,
        outputs(found, options),
        reason(found),
        slowness(found),
        found.failure.sanitizer.as_ref().map(sanitizer_note).unwrap_or_default(),
        error_output(found, options),
        if options.verbose { pass_table(&found.minimization.passes) } else { Page::default() },
        closing(found, options),
    ]))
}

/// Returns the heading: a line of facts, and warnings.
fn heading<'a>(found: &Finding, reference: Option<&str>) -> Page<'a> {
    let mut page = Page::default();
    page.push(Block::Flow(heading_title(found), heading_facts(found, reference), 3));
    let mut add = |style, text| {
        let head = StyledLine::from_plain(" ".repeat(INDENT));
        page.push(Block::Note(Note { head, style, text, is_cut: true }));
    };
    if found.failure.verdict == Verdict::JudgeError {
        if found.has_guessed_format() {
            add(
                TextStyle::Warning,
                "the format is a guess, so this input may be invalid: compare it with the statement first".to_owned(),
            );
        }
        add(TextStyle::Plain, judge_error_text(&found.failure, reference));
    }
    flakiness_note(&found.failure).into_iter().for_each(|(style, note)| add(style, note));
    page
}

/// Explains which program a judge error is due to.
fn judge_error_text(failure: &FindingFailure, reference: Option<&str>) -> String {
    if reference == Some(&failure.submission) {
        let name = &failure.submission;
        return format!(
            "the reference {name} fails on this input, so no submission can be judged on it: \
             fix {name}, or exclude such inputs with `--where`"
        );
    }
    "the failure is in a judge program, not in a submission".to_owned()
}

fn heading_title(found: &Finding) -> StyledLine {
    match found.failure.verdict {
        Verdict::JudgeError => StyledLine::from_label(0, TextStyle::Warning, "JUDGE ERROR", "  "),
        _ if !found.is_confirmed() => StyledLine::from_label(0, TextStyle::Warning, "FLAKY", "  "),
        _ if found.run.judged_by == JudgeKind::Expression => {
            StyledLine::from_label(0, TextStyle::Success, "FOUND", "  ")
        }
        _ => StyledLine::from_label(0, TextStyle::Failure, "FAIL", "  "),
    }
}

fn heading_facts(found: &Finding, reference: Option<&str>) -> Vec<StyledLine> {
    let role = if reference == Some(&found.failure.submission) { "the reference " } else { "" };
    let subject = match found.failure.verdict {
        _ if found.run.judged_by == JudgeKind::Expression => {
            StyledLine::from_styled(TextStyle::Bold, &found.failure.submission)
        }
        Verdict::JudgeError => StyledLine::from_plain(role).add_styled(TextStyle::Bold, &found.failure.submission),
        verdict => StyledLine::new()
            .add_styled(TextStyle::Bold, &found.failure.submission)
            .add_plain(": ")
            .add_styled(TextStyle::Failure, verdict.description()),
    };
    let number = found.origin.case.map(|number| format!("input {}", group_thousands(u128::from(number))));
    let shape = found.origin.shape.as_ref().filter(|shape| !shape.is_empty()).map(|shape| format!("shape {shape}"));
    // A replay does not search.
    let after = found
        .origin
        .case
        .filter(|_| found.origin.elapsed_ms > 0)
        .map(|_| format!("after {}", format_duration(found.origin.elapsed_ms)));
    let test_case = found.origin.test_case.as_ref().map(|name| format!("test case {name}"));
    let rest = [number, test_case, shape, after].into_iter().flatten().map(StyledLine::from_plain);
    [subject].into_iter().chain(rest).collect()
}

/// Returns the input, beside its board if it has one. A compile error has no input.
fn input_with_board<'a>(found: &'a Finding, format: Option<&Format>) -> Page<'a> {
    if found.failure.verdict == Verdict::CompileError {
        return Page::default();
    }
    let full_text = found.saved.folder.as_ref().map(|folder| folder.join("input.txt").display().to_string());
    let input = Block::Listing(Listing { title: "input".to_owned(), text: &found.run.input, full_text });
    let board = format.and_then(|format| render_board(format, &found.run.input)).unwrap_or_default();
    let board = Page { blocks: board.into_iter().map(Block::Line).collect() };
    Page::from_block(Block::Pair(Page::from_block(input), board, COLUMN_GAP))
}

/// Returns the outputs next to each other, if the verdict depends on their difference.
fn outputs<'a>(found: &'a Finding, options: &ReportOptions) -> Page<'a> {
    let FindingRun { answer, output, judged_by, .. } = &found.run;
    match (judged_by, is_wrong(found)) {
        _ if found.failure.verdict == Verdict::CompileError => Page::default(),
        (JudgeKind::Conversation, _) => conversation(found, options),
        (JudgeKind::Expression, _) => {
            let mut page = Page::default();
            page.add_listing("answer", answer);
            page
        }
        (JudgeKind::Program, true) => pair_of_listings([("an answer", answer), ("output", output)]),
        (_, true) => diff_page(found, ["expected", "got"]),
        // Of a reference that answers differently from run to run.
        _ if has_two_outputs(found) && found.failure.flaky.is_some() => diff_page(found, ["one run", "another run"]),
        _ if has_two_outputs(found) => diff_page(found, ["answer", "output"]),
        _ => Page::default(),
    }
}

fn is_wrong(found: &Finding) -> bool {
    matches!(found.failure.verdict, Verdict::WrongAnswer | Verdict::PresentationError)
}

fn has_two_outputs(found: &Finding) -> bool {
    let FindingRun { answer, output, .. } = &found.run;
    found.failure.verdict == Verdict::JudgeError && !output.is_empty() && output != answer
}

fn pair_of_listings<'a>(texts: [(&str, &'a [u8]); 2]) -> Page<'a> {
    let [left, right] = texts.map(|(title, text)| {
        let mut page = Page::default();
        page.add_listing(title, text);
        page
    });
    Page::from_block(Block::Pair(left, right, COLUMN_GAP))
}

fn diff_page<'a>(found: &'a Finding, titles: [&'static str; 2]) -> Page<'a> {
    let FindingRun { answer, output, checker, .. } = &found.run;
    Page::from_block(Block::Diff(OutputDiff { titles, answer, output, checker }))
}

/// Returns the beginning and the end of a conversation, with a legend.
fn conversation<'a>(found: &Finding, options: &ReportOptions) -> Page<'a> {
    let mut page = Page::default();
    let name = found.failure.submission.rsplit('/').next().unwrap_or_default();
    let legend = format!("(seconds since the start; < {name} reads, > {name} writes)");
    page.add_cut_note(StyledLine::from_label(2, TextStyle::Dim, "conversation", "  "), legend);
    let total = count_lines(&found.run.output);
    if total == 0 {
        page.add_line(StyledLine::from_label(2, TextStyle::Dim, "(empty)", ""));
    }
    // Omitting a single line would save nothing, because the note takes a line as well.
    let omitted = if options.all_rows { 0 } else { total.saturating_sub(MAX_FIRST_LINES + MAX_LAST_LINES) };
    let omitted = if omitted > 1 { omitted } else { 0 };
    for (number, line) in split_lines(&found.run.output).enumerate() {
        if omitted > 0 && number == MAX_FIRST_LINES {
            let path = found.saved.folder.as_ref().map(|folder| folder.join("output.txt"));
            let place = path.map(|path| format!("; full text: {}", path.display())).unwrap_or_default();
            let note = format!("... {} omitted{place}", count_with_noun(omitted, "line"));
            page.add_line(StyledLine::from_label(2, TextStyle::Dim, &note, ""));
        }
        if omitted == 0 || number < MAX_FIRST_LINES || number >= MAX_FIRST_LINES + omitted {
            let (text, _) = truncate_to_width(line, options.width.saturating_sub(2));
            let writes = text.split_whitespace().nth(1) == Some(">");
            page.add_line(StyledLine::from_label(
                2,
                if writes { TextStyle::Bold } else { TextStyle::Plain },
                &text,
                "",
            ));
        }
    }
    page
}

/// Returns the message, resource usage if a limit was exceeded, and hints.
fn reason<'a>(found: &Finding) -> Page<'a> {
    let mut page = Page::default();
    for paragraph in found.failure.message.lines().filter(|line| !line.trim().is_empty()).take(MAX_MESSAGE_LINES) {
        page.add_cut_note("  ".into(), truncate_message_line(paragraph));
    }
    if is_over_a_limit(found) {
        let (time, memory) = (format_duration(found.run.cpu_time_ms), format_bytes(found.run.memory_peak_bytes));
        let time = StyledLine::from_label(2, TextStyle::Dim, "time ", &time);
        page.add_line(time.add_styled(TextStyle::Dim, "   memory ").add_plain(memory));
    }
    for hint in &found.failure.hints {
        page.add_cut_note(StyledLine::from_label(2, TextStyle::Dim, "hint", ": "), truncate_message_line(hint));
    }
    page
}

fn is_over_a_limit(found: &Finding) -> bool {
    matches!(found.failure.verdict, Verdict::TimeLimit | Verdict::MemoryLimit)
}

/// Escapes and truncates a line of a message, which may be the output of a checker.
fn truncate_message_line(line: &str) -> String {
    truncate_to_width(escape_message(line).as_bytes(), MAX_MESSAGE_COLUMNS).0
}

/// Returns what makes an input slow, and the keys of a test in a recipe that makes it again.
fn slowness<'a>(found: &Finding) -> Page<'a> {
    let mut page = Page::default();
    let Some(slowness) = &found.slowness else { return page };
    slowness_facts(slowness).into_iter().for_each(|fact| page.add_cut_note("  ".into(), fact));
    page.add_line(StyledLine::from_label(2, TextStyle::Dim, "as a test in a recipe:", ""));
    for key in slowness.recipe.lines() {
        page.add_line(StyledLine::from_label(4, TextStyle::Copyable, key, "").into_uncut());
    }
    page
}

/// Returns a sanitizer's report: the kind of error, its location, the source line and the message.
fn sanitizer_note<'a>(note: &SanitizerFinding) -> Page<'a> {
    let mut page = Page::default();
    let mut head =
        StyledLine::from_label(2, TextStyle::Dim, "sanitizer", "  ").add_styled(TextStyle::Failure, &note.kind);
    if let Some(function) = &note.function {
        head = head.add_plain(format!(" in {function}"));
    }
    if let Some((file, line)) = &note.place {
        head = head.add_plain(" at ").add_styled(TextStyle::Bold, format!("{file}:{line}"));
    }
    page.add_line(head.into_uncut());
    if let (Some((_, number)), Some(source)) = (&note.place, &note.source_line) {
        let number = format!("  {number:>4} | ");
        page.add_line(StyledLine::from_label(0, TextStyle::Dim, &number, &escape_message(source.trim_end())));
    }
    if !note.message.is_empty() && !note.kind.contains(&note.message) {
        page.add_cut_note("  ".into(), escape_message(&note.message));
    }
    page
}

/// Returns the error output; debug output does not help with a wrong answer, and is shown only if verbose.
fn error_output<'a>(found: &Finding, options: &ReportOptions) -> Page<'a> {
    let mut page = Page::default();
    let text = found.run.stderr.trim_ascii_end();
    let is_compiler = found.failure.verdict == Verdict::CompileError;
    if text.is_empty() && !is_compiler || is_wrong(found) && !options.verbose {
        return page;
    }
    let total = count_lines(text);
    let limit = if is_compiler { MAX_COMPILER_LINES } else { MAX_STDERR_LINES };
    let shown = if options.all_rows { total } else { total.min(limit) };
    if is_compiler {
        split_lines(text).take(shown).for_each(|line| page.add_line(quote_line(line).into_uncut()));
        if let rest @ 1.. = total - shown {
            let more = format!("{} (--all shows them)", count_with_noun(rest, "more line"));
            page.add_line(StyledLine::from_label(3, TextStyle::Dim, &more, ""));
        }
        return page;
    }
    let title = match total - shown {
        0 => "standard error".to_owned(),
        _ => format!("standard error, last {shown} of {} lines", group_thousands(total as u128)),
    };
    page.add_line(StyledLine::from_label(2, TextStyle::Dim, &title, ""));
    split_lines(text).skip(total - shown).for_each(|line| page.add_line(quote_line(line)));
    page
}

/// Returns a line that another program wrote.
fn quote_line(line: &[u8]) -> StyledLine {
    // A character takes at most four bytes, so this prefix of an endless line fills the screen.
    let prefix = &line[..line.len().min(MAX_QUOTED_COLUMNS * 4)];
    let text = escape_message(&String::from_utf8_lossy(prefix));
    StyledLine::from_label(3, TextStyle::Dim, "| ", &text).cut_to_width(MAX_QUOTED_COLUMNS)
}

/// Returns what each pass of shrinking did that had anything to try.
fn pass_table<'a>(passes: &[ShrinkPassSummary]) -> Page<'a> {
    let mut page = Page::default();
    let shown: Vec<&ShrinkPassSummary> = passes.iter().filter(|pass| pass.tried > 0).collect();
    if shown.is_empty() {
        return page;
    }
    let row = |pass: &&ShrinkPassSummary| {
        let counts = [pass.calls, pass.tried, pass.accepted].map(|count| StyledLine::from(count.to_string()));
        let time = StyledLine::from(format_duration(pass.time_ms));
        [StyledLine::from(pass.name.as_str())].into_iter().chain(counts).chain([time]).collect()
    };
    let numbers = ["calls", "tried", "accepted", "time"].map(Column::of_numbers);
    let columns: Vec<Column> = [Column::of_texts("shrinking pass")].into_iter().chain(numbers).collect();
    page.push(Block::Table(Table::new("Passes of shrinking", columns, shown.iter().map(row)).with_indent(2)));
    if let idle @ 1.. = passes.len() - shown.len() {
        let noun = if idle == 1 { "other pass" } else { "other passes" };
        page.add_line(StyledLine::from_label(2, TextStyle::Dim, &format!("{idle} {noun} had nothing to try"), ""));
    }
    page
}

/// Returns how far the input was shrunk, in one sentence or in full, and where the finding is.
fn closing<'a>(found: &Finding, options: &ReportOptions) -> Page<'a> {
    let mut page = Page::default();
    let choices = found.saved.folder.as_ref().and_then(|_| choices_note(found));
    let notes: Vec<(TextStyle, String)> = match options.verbose {
        true => shrinking_note(found, true).into_iter().chain(proof_notes(found)).chain(choices).collect(),
        false => brief_note(found).into_iter().collect(),
    };
    for (style, text) in notes {
        page.push(Block::Note(Note { head: "  ".into(), style, text, is_cut: true }));
    }
    add_locations(&mut page, &found.saved, options.width);
    page
}

/// Adds the finding's folder, if it was saved, and the command that replays it. Both are meant to be copied, so they
/// are never cut: each stands on the line of its label if it fits, else on the next line, from the first column.
fn add_locations(page: &mut Page<'_>, saved: &SavedFinding, width: usize) {
    let folder = saved.folder.as_ref().map(|folder| folder.join("").display().to_string());
    for (label, text) in [("finding", folder), ("replay", saved.replay.clone())] {
        let Some(text) = text else { continue };
        let head = StyledLine::from_label(2, TextStyle::Dim, &format!("{label:<9}"), "");
        let text = StyledLine::from_styled(TextStyle::Copyable, text).into_uncut();
        if head.width() + text.width() <= width {
            page.add_line(head.append_line(text));
        } else {
            page.add_line(head);
            page.add_line(text);
        }
    }
}

/// Returns everything known about a finding, without a heading, with pictures if the format is known. Times of runs
/// differ from run to run.
pub(crate) fn finding_document<'a>(
    found: &'a Finding,
    format: Option<&Format>,
    max_figures: usize,
    has_times: bool,
) -> Page<'a> {
    let mut page = Page::default();
    let message = found.failure.message.trim_end();
    if !message.trim().is_empty() {
        page.add_listing("", message.as_bytes());
    }
    for medium in [Medium::Html, Medium::Markdown] {
        page.add_only(medium, |page| page.add_list("", "".into(), facts(found, medium, has_times), usize::MAX));
    }
    if let Some(line) = found.failure.sanitizer.as_ref().and_then(|note| note.source_line.as_ref()) {
        page.push(Block::Source(vec![StyledLine::from_plain(line)]));
    }
    if found.failure.verdict != Verdict::CompileError {
        add_input(&mut page, found, format, max_figures);
    }
    add_outputs(&mut page, found);
    let is_input = |image: &&FindingImage| image.title == FindingImage::INPUT_TITLE;
    found.images.iter().filter(|image| !is_input(image)).for_each(|image| page.push(Block::Image(image)));
    add_shrinking(&mut page, &found.minimization);
    if !found.run.stderr.trim_ascii().is_empty() {
        let stderr = file("standard error", "stderr.txt", &found.run.stderr);
        if is_wrong(found) { page.add_only(Medium::Markdown, |page| page.push(stderr)) } else { page.push(stderr) }
    }
    if let Some(slowness) = &found.slowness {
        page.add_listing("test of a recipe", slowness.recipe.as_bytes());
    }
    page.add_only(Medium::Html, |page| {
        let commands = [("Replay: ", &found.saved.replay), ("Shrink it, with a proof: ", &found.saved.shrink)];
        for (what, command) in commands {
            command.iter().for_each(|command| {
                page.add_line(StyledLine::from_plain(what).add_styled(TextStyle::Copyable, command));
            });
        }
    });
    page
}

/// Returns the facts about a finding. In Markdown, the texts of programs and users are escaped.
fn facts(found: &Finding, medium: Medium, has_times: bool) -> Vec<String> {
    let Finding { failure, origin, run, .. } = found;
    let escape = |text: &str| if medium == Medium::Markdown { escape_markdown(text) } else { text.to_owned() };
    let mut facts = Vec::new();
    // The heading of the other documents has the verdict.
    if medium == Medium::Markdown {
        facts.push(format!("verdict: {} ({})", failure.verdict.description(), failure.verdict.code()));
    }
    if let Some(number) = origin.case {
        let seed = origin.seed.map(|seed| format!(" of the search with seed {seed:x}")).unwrap_or_default();
        let shape = origin.shape.as_ref().map(|shape| format!(", shape {}", escape(shape))).unwrap_or_default();
        let after = if has_times { format!(", after {}", format_duration(origin.elapsed_ms)) } else { String::new() };
        facts.push(format!("found as input {}{seed}{shape}{after}", group_thousands(number.into())));
    }
    // How many smaller inputs were tried depends on the machine.
    let shrinking = shrinking_note(found, has_times).filter(|_| has_times || found.minimization.steps > 0);
    let proof = proof_notes(found).chain(flakiness_note(failure));
    facts.extend(shrinking.into_iter().chain(proof).chain(choices_note(found)).map(|(_, note)| note));
    facts.extend(found.slowness.iter().flat_map(slowness_facts));
    facts.extend(failure.sanitizer.as_ref().map(|note| {
        let place = note.place.as_ref().map(|(file, line)| format!(" at {file}:{line}")).unwrap_or_default();
        escape(&format!("sanitizer: {}{place}", note.kind))
    }));
    facts.extend(failure.hints.iter().map(|hint| escape(hint)));
    if medium == Medium::Markdown {
        facts.push(format!("checker: {}", escape(&run.checker)));
    }
    if has_times && (is_over_a_limit(found) || medium == Medium::Html) {
        let (time, memory) = (format_duration(run.cpu_time_ms), format_bytes(run.memory_peak_bytes));
        facts.push(format!("time {time}, memory {memory}"));
    }
    facts
}

/// Returns the lines of a file in the folder of a finding.
fn file<'a>(title: &str, name: &str, text: &'a [u8]) -> Block<'a> {
    Block::Listing(Listing { title: title.to_owned(), text, full_text: Some(name.to_owned()) })
}

/// Adds the input with its pictures, and those of the input that failed first, with the elements that shrinking kept.
fn add_input<'a>(page: &mut Page<'a>, found: &'a Finding, format: Option<&Format>, max_figures: usize) {
    let mut pictures = Page::default();
    let images = found.images.iter().filter(|image| image.title == FindingImage::INPUT_TITLE);
    images.for_each(|image| pictures.push(Block::Image(image)));
    let figures = draw_input(format, &found.run.input);
    let is_shrunk = found.origin.original != found.run.input;
    let mut original = if is_shrunk { draw_input(format, &found.origin.original) } else { Vec::new() };
    mark_kept(&mut original, &figures);
    if pictures.is_empty() {
        figures.into_iter().take(max_figures).for_each(|figure| pictures.push(Block::Figure(figure)));
    }
    let input = Page::from_block(file("input", "input.txt", &found.run.input));
    page.push(Block::Pair(input, pictures, 0));
    let mut first = Page::default();
    if original.iter().any(|figure| figure.kept.contains(&true)) {
        first.add_line(StyledLine::from_styled(TextStyle::Kept, " ").add_plain(" what shrinking kept"));
    }
    original.into_iter().for_each(|figure| first.push(Block::Figure(figure)));
    page.add_fold("The input that failed first".into(), false, first);
    if let Some(smaller) = &found.proof.smaller_input {
        page.add_only(Medium::Html, |page| page.add_listing("a smaller input that also fails", smaller.as_bytes()));
    }
}

/// Returns the pictures of an input, if its format is known.
pub(super) fn draw_input(format: Option<&Format>, input: &[u8]) -> Vec<Figure> {
    let Some(format) = format.filter(|_| input.len() <= MAX_DRAWN_BYTES) else { return Vec::new() };
    read_input(format, input).map(|value| figures_of_input(format, &value)).unwrap_or_default()
}

/// Adds the outputs, if the verdict depends on them.
fn add_outputs<'a>(page: &mut Page<'a>, found: &'a Finding) {
    let FindingRun { answer, output, judged_by, .. } = &found.run;
    if *judged_by == JudgeKind::Conversation {
        return page.push(file(CONVERSATION, "output.txt", output));
    }
    if *judged_by == JudgeKind::Expression {
        return page.push(file("answer", "answer.txt", answer));
    }
    if is_wrong(found) {
        page.add_only(Medium::Markdown, |page| {
            page.push(file("expected", "answer.txt", answer));
            page.push(file("got", "output.txt", output));
        });
    }
    page.add_only(Medium::Html, |page| page.append_page(outputs(found, &ReportOptions::default())));
}

/// Adds the sizes of the input while it was shrunk, and what each pass contributed.
fn add_shrinking(page: &mut Page<'_>, shrunk: &FindingMinimization) {
    let mut details = Page::default();
    if shrunk.path.len() > 1 {
        let points = shrunk.path.iter().map(|(step, size)| (*step as f64, *size as f64)).collect();
        let name = "size of the smallest failing input".to_owned();
        details.push(Block::Chart(Chart {
            title: "Path of shrinking".to_owned(),
            x_label: "smaller failing inputs found".to_owned(),
            y_label: shrunk.size_unit.to_owned(),
            x_names: Vec::new(),
            are_logarithmic: [false, false],
            series: vec![ChartSeries { name, points, kind: SeriesKind::Steps }],
        }));
    }
    let passes = shrunk.passes.iter().filter(|pass| pass.accepted > 0);
    let passes: Vec<String> =
        passes.map(|pass| format!("{}: {}", pass.name, count_with_noun(pass.accepted, "step"))).collect();
    details.add_list("", "".into(), passes, usize::MAX);
    page.add_fold("How it was shrunk".into(), false, details);
}

/// Descriptions of the files in the folder of a finding.
const FILES: [&str; 7] = [
    "`finding.html`: this page for a browser, with pictures",
    "`input.txt`: the smallest failing input found",
    "`original.txt`: the input that failed first",
    "`answer.txt`: the reference's answer to `input.txt`",
    "`output.txt`: the submission's output for it",
    "`stderr.txt`: the end of its standard error, if any",
    "`finding.json`: everything needed to replay the failure",
];

/// Returns the title of the documents of a finding.
pub(crate) fn finding_title(found: &Finding) -> String {
    let failure = &found.failure;
    match found.run.judged_by {
        JudgeKind::Expression => failure.submission.clone(),
        _ => format!("{}: {}", failure.submission, failure.verdict.description()),
    }
}

/// Returns the command that replays a finding in `folder`.
pub(crate) fn replay_command(saved: &SavedFinding, folder: &Path) -> String {
    saved.replay.clone().unwrap_or_else(|| format!("rebut replay {}", folder.display()))
}

/// Returns the text of the `README.md` of a finding that is saved in `folder`.
///
/// It is read in a bug report or a repository, perhaps a year after the search. So it quotes the other files as far as
/// they are short, and gives the command that replays the finding.
pub fn finding_readme(found: &Finding, folder: &Path) -> String {
    let command = replay_command(&found.saved, folder);
    let mut page = Page::default();
    page.add_heading(1, &finding_title(found));
    page.append_page(finding_document(found, None, 0, true));
    page.add_listing("replay", command.as_bytes());
    page.add_heading(2, "Files");
    let mut files: Vec<String> = FILES.map(str::to_owned).into();
    if found.origin.choices.is_some() {
        files.push("`choices.txt`: the choices of the generator, as it reads them from its standard input".to_owned());
    }
    page.add_list("", "".into(), files, usize::MAX);
    crate::report::markdown::render_page(&page)
}
