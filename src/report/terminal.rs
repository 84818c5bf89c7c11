//! Renders events as text for people.

use super::lines::render_page;
use super::live_block::{Heartbeat, LiveBlock};
use super::styled_line::{StyledLine, TextStyle, flow_pieces};
use super::verdict_matrix::VerdictMatrix;
use super::views::event_page;
use super::views::finding::finding_page;
use super::views::growth::growth_comparison;
use super::views::summary::{failed_text, summary_page};
use super::writer::ReportWriter;
use super::{ReportOptions, progress, units};
use indicatif::ProgressDrawTarget;
use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::{
    ActivityEvent, BuildProgress, BuildStage, CellJudged, CommandSummary, EnumerationSummary, Event, EventSink,
    Finding, GrowthReport, ProgramCompiled, SearchProgress, SearchStarted, ShrinkProgress, SubmissionAssessed,
    SubmissionFailed, TimeLimitAdvice, UnfinishedTable, VerificationStarted,
};
use rebut_format::language::Format;
use std::io::{self, Write};
use std::time::Instant;

/// Time between two lines of progress in a log, in milliseconds.
const LOG_INTERVAL_MS: u64 = 10_000;

/// The report for people: results go to one stream, progress and notes to another.
///
/// If results go to the standard output and the rest to the standard error, `rebut … > report.txt` keeps the results.
/// If the standard output carries data, both streams are the standard error.
pub struct TerminalReport<W: Write, E: Write> {
    out: ReportWriter<W>,
    err: ReportWriter<E>,
    options: ReportOptions,
    format: Option<Format>,
    started: Option<SearchStarted>,
    live_block: Option<LiveBlock>,
    matrix: Option<VerdictMatrix>,
    last_progress: SearchProgress,
    /// Of each submission, until all are compared.
    growths: Vec<GrowthReport>,
    /// The current action, shown below the bar.
    current_action: StyledLine,
    next_log_ms: u64,
    has_results: bool,
    /// Programs that were compiled before, which share a line.
    cached_programs: Vec<String>,
    heartbeat: Heartbeat,
}

impl<W: Write, E: Write> TerminalReport<W, E> {
    /// Creates a report that writes results to `out`, and everything else to `err`.
    pub fn new(out: W, err: E, options: ReportOptions) -> Self {
        let width = options.width;
        TerminalReport {
            out: ReportWriter::new(out, options.colour, width),
            err: ReportWriter::new(err, options.colour_stderr, width),
            options,
            format: None,
            started: None,
            live_block: None,
            matrix: None,
            last_progress: SearchProgress::default(),
            growths: Vec::new(),
            current_action: StyledLine::new(),
            next_log_ms: LOG_INTERVAL_MS,
            has_results: false,
            cached_programs: Vec::new(),
            heartbeat: Heartbeat::new(Instant::now()),
        }
    }

    /// Sets the input format, which is needed to draw boards, once it is known.
    pub fn set_format(&mut self, format: Format) {
        self.format = Some(format);
    }

    /// Removes the live block, as a summary does. After a command that ended in an error, this must be called before
    /// anything else is written.
    pub fn clear_live_block(&mut self) {
        self.live_block = None;
    }

    /// Sets the current activity and its progress, which are shown only after a while without other output.
    pub fn set_activity(&mut self, activity: &ActivityEvent) {
        self.heartbeat.set_activity(activity, Instant::now());
    }

    /// Shows the time of each submission on each test case from now on.
    pub fn show_times(&mut self) {
        self.options.show_times = true;
    }

    /// Sets the current activity and shows it at once.
    pub fn announce_activity(&mut self, activity: &ActivityEvent) {
        self.set_activity(activity);
        if !self.options.quiet {
            let subject = StyledLine::from_styled(TextStyle::Bold, &activity.subject);
            self.write_facts(activity.verb, [subject], 3);
        }
    }

    /// Shows the current activity after two seconds without output. Must be called several times a second.
    pub fn show_heartbeat(&mut self) {
        if self.options.quiet {
            return;
        }
        let (width, is_interactive) = (self.options.width, self.options.interactive);
        let Some(beat) = self.heartbeat.take_due_lines(Instant::now(), is_interactive, width.saturating_sub(1)) else {
            return;
        };
        if !is_interactive {
            let TerminalReport { err, live_block: live, .. } = self;
            return suspend_live_block(live.as_ref(), || err.write_lines(beat));
        }
        let above = match (&self.started, &self.matrix) {
            (Some(started), _) => progress::render_live(&self.last_progress, started, width.saturating_sub(1)),
            (None, Some(matrix)) if !matrix.is_single() => matrix.render_live(width),
            _ => Vec::new(),
        };
        self.draw_live_lines(above.into_iter().chain(beat).collect());
    }

    /// Clears the live block while something else writes to the streams.
    pub fn suspend_while<T>(&mut self, write: impl FnOnce() -> T) -> T {
        self.heartbeat.mark_shown(Instant::now());
        match &self.live_block {
            Some(live) => live.suspend_while(write),
            None => write(),
        }
    }

    /// Replaces the lines of the live block, which is created if necessary.
    fn draw_live_lines(&mut self, lines: Vec<StyledLine>) {
        let (width, colour) = (self.options.width, self.options.colour_stderr);
        self.live_block
            .get_or_insert_with(|| LiveBlock::new(ProgressDrawTarget::stderr(), width, colour))
            .draw_lines(lines);
    }

    /// Returns the first error in writing results, if any.
    pub fn write_error(&self) -> Option<&io::Error> {
        self.out.first_error()
    }

    /// Writes what begins: a verb, and facts about it.
    fn write_facts(&mut self, verb: &str, facts: impl IntoIterator<Item = StyledLine>, gap: usize) {
        self.write_notes(flow_pieces(StyledLine::from_verb(verb), facts, gap, self.options.width));
    }

    /// Writes results, with an empty line before each block but the first.
    fn write_results(&mut self, lines: Vec<StyledLine>) {
        let space = (self.has_results && !lines.is_empty()).then(StyledLine::new);
        self.has_results |= !lines.is_empty();
        self.print_lines(space.into_iter().chain(lines).collect());
    }

    /// Writes lines to the stream of results.
    fn print_lines(&mut self, lines: Vec<StyledLine>) {
        self.write_cached_programs();
        self.heartbeat.mark_shown(Instant::now());
        let TerminalReport { out, live_block: live, .. } = self;
        suspend_live_block(live.as_ref(), || out.write_lines(lines));
    }

    /// Writes lines to the stream of progress and notes.
    fn write_notes(&mut self, lines: Vec<StyledLine>) {
        self.write_cached_programs();
        self.heartbeat.mark_shown(Instant::now());
        let TerminalReport { err, live_block: live, .. } = self;
        suspend_live_block(live.as_ref(), || err.write_lines(lines));
    }

    /// Writes one line for all programs of the cache, once something else is written.
    fn write_cached_programs(&mut self) {
        let names = std::mem::take(&mut self.cached_programs);
        if !names.is_empty() {
            let count = StyledLine::from_styled(TextStyle::Bold, count_with_noun(names.len(), "program"));
            let line = StyledLine::from_verb("Cached").append_line(count);
            let names = StyledLine::from_styled(TextStyle::Dim, format!("  {}", names.join(", ")));
            self.write_notes(vec![line.append_line(names).cut_to_width(self.options.width)]);
        }
    }

    fn on_compiled(&mut self, compiled: &ProgramCompiled) {
        let ProgramCompiled { name, language, command, .. } = compiled;
        let (quiet, verbose) = (self.options.quiet, self.options.verbose);
        if quiet || command.is_empty() && !verbose {
            return;
        }
        if compiled.cached && !verbose {
            return self.cached_programs.push(name.clone());
        }
        let time = match (command.is_empty(), compiled.cached) {
            (true, _) => StyledLine::new(),
            (false, true) => StyledLine::from_styled(TextStyle::Dim, "cached"),
            (false, false) => units::format_duration(compiled.wall_time_ms).into(),
        };
        let verb = if command.is_empty() { "Ready" } else { "Compiled" };
        self.write_facts(verb, [StyledLine::from_styled(TextStyle::Bold, name), language.into(), time], 2);
        if verbose && !command.is_empty() {
            self.write_notes(vec![StyledLine::from_verb("").add_styled(TextStyle::Dim, command).into_uncut()]);
        }
    }

    fn on_started(&mut self, started: &SearchStarted) {
        self.started = Some(started.clone());
        let names = started.submissions.join(", ");
        self.set_activity(&ActivityEvent { noun: "cases", ..ActivityEvent::new("Searching", names.as_str()) });
        if self.options.quiet {
            return;
        }
        let versus = if started.reference.is_empty() { String::new() } else { format!(" vs {}", started.reference) };
        let mut facts = vec![
            StyledLine::from_styled(TextStyle::Bold, names).add_plain(versus),
            count_with_noun(started.jobs, "job").into(),
            format!("engine {}", started.engine).into(),
            format!("seed {:x}", started.seed).into(),
        ];
        if started.initial_growth > 0 {
            facts.push(format!("initial growth {}", started.initial_growth).into());
        }
        if self.options.verbose {
            facts.extend([format!("inputs {}", started.inputs).into(), format!("checker {}", started.checker).into()]);
        }
        self.write_facts("Stressing", facts, 3);
    }

    fn on_progress(&mut self, progress: &SearchProgress) {
        self.last_progress = progress.clone();
        self.heartbeat.set_done(progress.test_cases.max(progress.cases));
        if self.options.quiet {
            return;
        }
        if self.options.interactive {
            self.redraw_progress();
        } else if progress.elapsed_ms >= self.next_log_ms {
            // After a pause one line is due, not one for each interval that was missed.
            self.next_log_ms = (progress.elapsed_ms / LOG_INTERVAL_MS + 1) * LOG_INTERVAL_MS;
            self.write_notes(vec![progress::log_line(progress)]);
        }
    }

    /// Redraws the live block, with the current action below it.
    fn redraw_progress(&mut self) {
        let Some(started) = &self.started else { return };
        let mut lines = progress::render_live(&self.last_progress, started, self.options.width.saturating_sub(1));
        if !self.current_action.is_empty() {
            lines.push(StyledLine::from_plain("   ").append_line(self.current_action.clone()));
        }
        self.heartbeat.mark_shown(Instant::now());
        self.draw_live_lines(lines);
    }

    fn on_failed(&mut self, failed: &SubmissionFailed) {
        let what = failed_text(failed);
        if self.options.interactive && !self.options.quiet {
            self.current_action = StyledLine::from_styled(TextStyle::Failure, what);
            self.redraw_progress();
        } else if self.options.verbose {
            self.write_notes(vec![StyledLine::from_verb("Failing").add_plain(what)]);
        }
    }

    fn on_shrinking(&mut self, shrinking: &ShrinkProgress) {
        self.heartbeat.set_done(shrinking.tried as u64);
        if !self.options.interactive || self.options.quiet {
            return;
        }
        let (before, now) = (group_thousands(shrinking.size_before as u128), group_thousands(shrinking.size as u128));
        let tried = group_thousands(shrinking.tried as u128);
        let what = format!("shrinking {}: {before} -> {now}, {tried} tried", shrinking.submission);
        self.current_action = StyledLine::from_styled(TextStyle::Bold, what);
        self.redraw_progress();
    }

    fn on_found(&mut self, found: &Finding) {
        let reference = self.started.as_ref().map(|started| started.reference.as_str());
        let page = finding_page(found, reference, self.format.as_ref(), &self.options);
        let lines = render_page(&page, &self.options);
        self.current_action = StyledLine::new();
        self.write_results(lines);
    }

    /// Shows the progress of a build on terminals only: a log gets the result.
    fn on_building(&mut self, building: &BuildProgress) {
        let noun = match building.stage {
            BuildStage::Inputs => "inputs generated",
            BuildStage::Answers => "inputs answered and judged",
        };
        let (done, of) = (building.done as u64, Some(building.of as u64));
        self.set_activity(&ActivityEvent { done, of, noun, ..ActivityEvent::new("Building", "the test set") });
        if !self.options.interactive || self.options.quiet {
            return;
        }
        self.heartbeat.mark_shown(Instant::now());
        let lines = progress::render_build_progress(building, self.options.width.saturating_sub(1));
        self.draw_live_lines(lines);
    }

    fn on_verifying(&mut self, verifying: &VerificationStarted) {
        self.matrix = Some(VerdictMatrix::new(verifying));
        self.next_log_ms = LOG_INTERVAL_MS;
        let of = Some((verifying.submissions.len() * verifying.test_cases.len()) as u64);
        self.set_activity(&ActivityEvent { of, noun: "runs", ..ActivityEvent::new("Verifying", &verifying.problem) });
        if self.options.quiet {
            return;
        }
        let facts = [
            StyledLine::from_styled(TextStyle::Bold, &verifying.problem),
            count_with_noun(verifying.submissions.len(), "submission").into(),
            count_with_noun(verifying.test_cases.len(), "test case").into(),
            count_with_noun(verifying.jobs, "job").into(),
        ];
        self.write_facts("Verifying", facts, 3);
    }

    fn on_judged(&mut self, judged: &CellJudged) {
        let Some(matrix) = &mut self.matrix else { return };
        matrix.record_run(judged);
        self.heartbeat.increment_done();
        if self.options.quiet {
            return;
        }
        if matrix.is_single() {
            let lines = matrix.render_case_line(judged, &self.options);
            self.print_lines(lines);
        } else if self.options.interactive {
            let lines = matrix.render_live(self.options.width);
            self.heartbeat.mark_shown(Instant::now());
            self.draw_live_lines(lines);
        } else if judged.elapsed_ms >= self.next_log_ms {
            self.next_log_ms = (judged.elapsed_ms / LOG_INTERVAL_MS + 1) * LOG_INTERVAL_MS;
            let line = matrix.log_line(judged.elapsed_ms);
            self.write_notes(vec![line]);
        }
    }

    fn on_assessed(&mut self, assessed: &SubmissionAssessed) {
        self.clear_live_block();
        let Some(matrix) = &mut self.matrix else { return };
        let lines = matrix.render_row(assessed, &self.options);
        if !self.options.quiet || !assessed.met {
            self.print_lines(lines);
        }
    }

    fn on_unfinished(&mut self, unfinished: &UnfinishedTable) {
        self.clear_live_block();
        let Some(mut matrix) = self.matrix.take() else { return };
        let lines = matrix.render_unfinished(unfinished, &self.options);
        self.has_results = true;
        self.print_lines(lines);
    }

    fn on_time_limit(&mut self, limit: &TimeLimitAdvice) {
        let Some(matrix) = self.matrix.take() else { return };
        let lines = matrix.render_closing(limit, &self.options);
        self.has_results = true;
        self.print_lines(lines);
    }

    fn on_enumerated(&mut self, enumerated: &EnumerationSummary) {
        let line = StyledLine::from_plain(units::describe_inputs(enumerated));
        if enumerated.counted {
            self.print_lines(vec![line]);
        } else if !self.options.quiet {
            self.write_notes(vec![line]);
        }
    }

    /// Shows an event that is a page of its own.
    fn on_result(&mut self, event: &Event) {
        let lines = render_page(&event_page(event, &self.options), &self.options);
        match event {
            Event::Warning(_) => self.write_notes(lines),
            Event::Validated(_) | Event::Exposed(_) | Event::Probed(_) => self.print_lines(lines),
            Event::Growth(growth) => {
                self.growths.push(growth.clone());
                self.write_results(lines);
            }
            _ => {
                self.clear_live_block();
                self.write_results(lines);
            }
        }
    }

    fn on_summary(&mut self, summary: &CommandSummary) {
        self.clear_live_block();
        let growths: Vec<&GrowthReport> = self.growths.iter().collect();
        self.write_results(render_page(&growth_comparison(&growths), &self.options));
        self.write_results(render_page(&summary_page(summary, self.started.is_some()), &self.options));
    }
}

impl<W: Write, E: Write> EventSink for TerminalReport<W, E> {
    fn take_event(&mut self, event: &Event) {
        match event {
            Event::Activity(activity) => self.set_activity(activity),
            Event::Compiled(compiled) => self.on_compiled(compiled),
            Event::Started(started) => self.on_started(started),
            Event::Progress(progress) => self.on_progress(progress),
            Event::Failed(failed) => self.on_failed(failed),
            Event::Shrinking(shrinking) => self.on_shrinking(shrinking),
            Event::Found(found) => self.on_found(found),
            // The matrix has the verdict. Commands that list inputs or samples print them unchanged: they are data.
            Event::Counterexample(_) | Event::Appraised(_) | Event::Input(_) | Event::Sample(_) => {}
            Event::Enumerated(enumerated) => self.on_enumerated(enumerated),
            Event::Building(building) => self.on_building(building),
            Event::Verifying(verifying) => self.on_verifying(verifying),
            Event::Judged(judged) => self.on_judged(judged),
            Event::Assessed(assessed) => self.on_assessed(assessed),
            Event::Unfinished(unfinished) => self.on_unfinished(unfinished),
            Event::TimeLimit(limit) => self.on_time_limit(limit),
            Event::Summary(summary) => self.on_summary(summary),
            event => self.on_result(event),
        }
    }
}

/// Clears the live block, if any, while `write` runs.
fn suspend_live_block(live: Option<&LiveBlock>, write: impl FnOnce()) {
    match live {
        Some(live) => live.suspend_while(write),
        None => write(),
    }
}
