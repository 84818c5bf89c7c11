//! Events for people.

use super::diagnostics::diagnostic_line;
use super::failure::{self, Context};
use super::heartbeat::Heartbeat;
use super::layout::{flow, wrap_whole};
use super::line::Line;
use super::live::Live;
use super::matrix::Matrix;
use super::pen::Pen;
use super::times::Times;
use super::tone::Tone;
use super::visible::prose;
use super::{Options, amounts, progress, summary};
use crate::campaign::{
    Activity, Assessed, Building, Compiled, Enumerated, Event, Exposed, Failed, Found, Judged, Probed, Progress,
    Shrinking, Sink, Stage, Started, Summary, TimeLimit, Unfinished, Validated, Verifying, Warning,
};
use crate::diagnostic::{counted, list_and, numbered};
use crate::format::Format;
use indicatif::ProgressDrawTarget;
use std::io::{self, Write};
use std::time::Instant;

/// A log gets one line in so many milliseconds.
const LOG_EVERY_MS: u64 = 10_000;
/// The width of the first word of what happens before results: `Compiled`, `Stressing`.
const VERB_WIDTH: usize = 11;

/// Text for people: results to one stream, everything on the way to another.
///
/// With results on the standard output and the rest on the standard error, `rebut … > report.txt` keeps what one
/// wants to keep. Where the standard output carries data, both are the standard error.
pub struct Terminal<W: Write, E: Write> {
    out: Pen<W>,
    err: Pen<E>,
    options: Options,
    format: Option<Format>,
    started: Option<Started>,
    live: Option<Live>,
    matrix: Option<Matrix>,
    times: Option<Times>,
    last: Progress,
    /// What happens at the moment, below the bar.
    now: Line,
    next_log_ms: u64,
    has_results: bool,
    heartbeat: Heartbeat,
}

impl<W: Write, E: Write> Terminal<W, E> {
    /// A report whose results go to `out`, and the rest to `err`.
    pub fn new(out: W, err: E, options: Options) -> Self {
        let width = options.width;
        Terminal {
            out: Pen::new(out, options.colour, width),
            err: Pen::new(err, options.colour_stderr, width),
            options,
            format: None,
            started: None,
            live: None,
            matrix: None,
            times: None,
            last: Progress::default(),
            now: Line::new(),
            next_log_ms: LOG_EVERY_MS,
            has_results: false,
            heartbeat: Heartbeat::new(Instant::now()),
        }
    }

    /// Reads inputs by `format`, to draw the board of an input that has one.
    #[must_use]
    pub fn with_format(mut self, format: Format) -> Self {
        self.set_format(format);
        self
    }

    /// The same for a format that becomes known later.
    pub fn set_format(&mut self, format: Format) {
        self.format = Some(format);
    }

    /// Takes the live block away. A summary does that, too; this is for a campaign that ended in an error, before
    /// anybody else writes.
    pub fn clear(&mut self) {
        self.live = None;
    }

    /// Notes what is done from now on, or how far it is; shown only if nothing else is for a while.
    pub fn note_activity(&mut self, activity: &Activity) {
        self.heartbeat.note(activity, Instant::now());
    }

    /// Shows the time of each submission on each test case from now on.
    pub fn show_times(&mut self) {
        self.options.times = true;
    }

    /// Shows at once what is done from now on.
    pub fn announce(&mut self, activity: &Activity) {
        self.note_activity(activity);
        if !self.options.quiet {
            let subject = Line::new().tone(Tone::Bold, &activity.subject);
            self.notes(flow(verb_line(activity.verb), [subject], 3, self.options.width));
        }
    }

    /// Shows what is being done if nothing was shown for two seconds: to be called several times a second.
    pub fn beat(&mut self) {
        if self.options.quiet {
            return;
        }
        let (width, is_interactive) = (self.options.width, self.options.interactive);
        let Some(beat) = self.heartbeat.beat(Instant::now(), is_interactive, width.saturating_sub(1)) else { return };
        if !is_interactive {
            let Terminal { err, live, .. } = self;
            return aside(live.as_ref(), || err.lines(beat));
        }
        let above = match (&self.started, &self.matrix) {
            (Some(started), _) => progress::live(&self.last, started, width.saturating_sub(1)),
            (None, Some(matrix)) if !matrix.is_single() => matrix.live(width),
            _ => Vec::new(),
        };
        self.draw_lines(above.into_iter().chain(beat).collect());
    }

    /// Lets something else write to the streams while the live block is out of the way.
    pub fn aside<T>(&mut self, write: impl FnOnce() -> T) -> T {
        self.heartbeat.note_shown(Instant::now());
        match &self.live {
            Some(live) => live.aside(write),
            None => write(),
        }
    }

    /// Redraws the live block.
    fn draw_lines(&mut self, lines: Vec<Line>) {
        let (width, colour) = (self.options.width, self.options.colour_stderr);
        self.live.get_or_insert_with(|| Live::new(ProgressDrawTarget::stderr(), width, colour)).draw(lines);
    }

    /// The first failure to write results, if there was one.
    pub fn write_error(&self) -> Option<&io::Error> {
        self.out.failure()
    }

    /// Writes results, with an empty line before each block but the first.
    fn results(&mut self, lines: Vec<Line>) {
        let space = (self.has_results && !lines.is_empty()).then(Line::new);
        self.has_results |= !lines.is_empty();
        self.print(space.into_iter().chain(lines).collect());
    }

    /// Writes lines to where results go.
    fn print(&mut self, lines: Vec<Line>) {
        self.heartbeat.note_shown(Instant::now());
        let Terminal { out, live, .. } = self;
        aside(live.as_ref(), || out.lines(lines));
    }

    /// Writes what is not a result.
    fn notes(&mut self, lines: Vec<Line>) {
        self.heartbeat.note_shown(Instant::now());
        let Terminal { err, live, .. } = self;
        aside(live.as_ref(), || err.lines(lines));
    }

    fn compiled(&mut self, compiled: &Compiled) {
        let (quiet, verbose) = (self.options.quiet, self.options.verbose);
        if quiet || compiled.command.is_empty() && !verbose {
            return;
        }
        let time = match (compiled.command.is_empty(), compiled.cached) {
            (true, _) => Line::new(),
            (false, true) => Line::new().tone(Tone::Dim, "cached"),
            (false, false) => Line::plain(amounts::duration(compiled.wall_time_ms)),
        };
        let verb = if compiled.command.is_empty() { "Ready" } else { "Compiled" };
        let facts = [Line::new().tone(Tone::Bold, &compiled.name), Line::plain(&compiled.language), time];
        let mut lines = flow(verb_line(verb), facts, 2, self.options.width);
        if verbose && !compiled.command.is_empty() {
            lines.push(verb_line("").tone(Tone::Dim, &compiled.command).whole());
        }
        self.notes(lines);
    }

    fn started(&mut self, started: &Started) {
        self.started = Some(started.clone());
        let activity = Activity { noun: "cases", ..Activity::new("Searching", started.submissions.join(", ")) };
        self.note_activity(&activity);
        if self.options.quiet {
            return;
        }
        let versus = if started.reference.is_empty() { String::new() } else { format!(" vs {}", started.reference) };
        let who = Line::new().tone(Tone::Bold, started.submissions.join(", ")).add(versus);
        let jobs = format!("{} job{}", started.jobs, if started.jobs == 1 { "" } else { "s" });
        let mut facts = vec![who, Line::plain(jobs), Line::plain(format!("engine {}", started.engine))];
        facts.push(Line::plain(format!("seed {:x}", started.seed)));
        if self.options.verbose {
            facts.push(Line::plain(format!("inputs {}", started.inputs)));
            facts.push(Line::plain(format!("checker {}", started.checker)));
        }
        self.notes(flow(verb_line("Stressing"), facts, 3, self.options.width));
    }

    fn progress(&mut self, progress: &Progress) {
        self.last = progress.clone();
        self.heartbeat.set_done(progress.test_cases.max(progress.cases));
        if self.options.quiet {
            return;
        }
        if self.options.interactive {
            self.draw();
        } else if progress.elapsed_ms >= self.next_log_ms {
            // After a pause one line is due, not one for each interval that was missed.
            self.next_log_ms = (progress.elapsed_ms / LOG_EVERY_MS + 1) * LOG_EVERY_MS;
            self.notes(vec![progress::log_line(progress)]);
        }
    }

    /// Redraws the live block, with what happens at the moment below it.
    fn draw(&mut self) {
        let Some(started) = &self.started else { return };
        let mut lines = progress::live(&self.last, started, self.options.width.saturating_sub(1));
        if !self.now.is_empty() {
            lines.push(Line::plain("   ").join(self.now.clone()));
        }
        self.heartbeat.note_shown(Instant::now());
        self.draw_lines(lines);
    }

    fn failed(&mut self, failed: &Failed) {
        let case = counted(u128::from(failed.case));
        let what = format!("{}: {} on case {case}", failed.submission, failed.verdict.words());
        if self.options.interactive && !self.options.quiet {
            self.now = Line::new().tone(Tone::Bad, what);
            self.draw();
        } else if self.options.verbose {
            self.notes(vec![verb_line("Failing").add(what)]);
        }
    }

    fn shrinking(&mut self, shrinking: &Shrinking) {
        self.heartbeat.set_done(shrinking.tried as u64);
        if !self.options.interactive || self.options.quiet {
            return;
        }
        let (before, now) = (counted(shrinking.size_before as u128), counted(shrinking.size as u128));
        let tried = counted(shrinking.tried as u128);
        let what = format!("shrinking {}: {before} -> {now}, {tried} tried", shrinking.submission);
        self.now = Line::new().tone(Tone::Bold, what);
        self.draw();
    }

    fn found(&mut self, found: &Found) {
        let context = Context {
            format: self.format.as_ref(),
            reference: self.started.as_ref().map(|started| started.reference.as_str()),
            options: &self.options,
        };
        let lines = failure::screen(found, &context);
        self.now = Line::new();
        self.results(lines);
    }

    fn validated(&mut self, validated: &Validated) {
        let file = validated.file.display().to_string();
        let (tone, word) = if validated.valid { (Tone::Good, "valid  ") } else { (Tone::Bad, "invalid") };
        let mut lines = vec![Line::new().tone(tone, word).add("  ").add(file).whole()];
        let message = validated.message.as_deref().unwrap_or_default();
        lines.extend(message.lines().flat_map(|line| diagnostic_line(line, self.options.width)));
        self.print(lines);
    }

    /// On a terminal alone: a log is told what was built when it is.
    fn building(&mut self, building: &Building) {
        let noun = match building.stage {
            Stage::Inputs => "inputs made",
            Stage::Answers => "inputs answered and judged",
        };
        let (done, of) = (building.done as u64, Some(building.of as u64));
        self.note_activity(&Activity { done, of, noun, ..Activity::new("Building", "the test set") });
        if !self.options.interactive || self.options.quiet {
            return;
        }
        self.heartbeat.note_shown(Instant::now());
        let lines = super::build::live(building, self.options.width.saturating_sub(1));
        self.draw_lines(lines);
    }

    fn verifying(&mut self, verifying: &Verifying) {
        self.matrix = Some(Matrix::new(verifying));
        self.times = self.options.times.then(|| Times::new(verifying));
        self.next_log_ms = LOG_EVERY_MS;
        let of = Some((verifying.submissions.len() * verifying.test_cases.len()) as u64);
        self.note_activity(&Activity { of, noun: "runs", ..Activity::new("Verifying", &verifying.problem) });
        if self.options.quiet {
            return;
        }
        let jobs = format!("{} job{}", verifying.jobs, if verifying.jobs == 1 { "" } else { "s" });
        let facts = [
            Line::new().tone(Tone::Bold, &verifying.problem),
            Line::plain(numbered(verifying.submissions.len(), "submission")),
            Line::plain(numbered(verifying.test_cases.len(), "test case")),
            Line::plain(jobs),
        ];
        self.notes(flow(verb_line("Verifying"), facts, 3, self.options.width));
    }

    fn judged(&mut self, judged: &Judged) {
        let Some(matrix) = &mut self.matrix else { return };
        matrix.judged(judged);
        self.times.iter_mut().for_each(|times| times.judged(judged));
        self.heartbeat.add_one();
        if self.options.quiet {
            return;
        }
        if matrix.is_single() {
            let lines = matrix.case_line(judged, &self.options);
            self.print(lines);
        } else if self.options.interactive {
            let lines = matrix.live(self.options.width);
            self.heartbeat.note_shown(Instant::now());
            self.draw_lines(lines);
        } else if judged.elapsed_ms >= self.next_log_ms {
            self.next_log_ms = (judged.elapsed_ms / LOG_EVERY_MS + 1) * LOG_EVERY_MS;
            let line = matrix.log_line(judged.elapsed_ms);
            self.notes(vec![line]);
        }
    }

    fn assessed(&mut self, assessed: &Assessed) {
        self.clear();
        let Some(matrix) = &mut self.matrix else { return };
        let lines = matrix.row(assessed, &self.options);
        if !self.options.quiet || !assessed.met {
            self.print(lines);
        }
    }

    fn unfinished(&mut self, unfinished: &Unfinished) {
        self.clear();
        let Some(mut matrix) = self.matrix.take() else { return };
        let lines = matrix.unfinished(unfinished, &self.options);
        self.has_results = true;
        self.print(lines);
    }

    fn time_limit(&mut self, limit: &TimeLimit) {
        let Some(matrix) = self.matrix.take() else { return };
        let mut lines = matrix.closing(limit, &self.options);
        if let Some(times) = self.times.take() {
            lines.splice(..0, times.lines(self.options.width).into_iter().chain([Line::new()]));
        }
        self.has_results = true;
        self.print(lines);
    }

    fn enumerated(&mut self, enumerated: &Enumerated) {
        let line = Line::plain(amounts::inputs(enumerated));
        if enumerated.counted {
            self.print(vec![line]);
        } else if !self.options.quiet {
            self.notes(vec![line]);
        }
    }

    fn exposed(&mut self, exposed: &Exposed) {
        let Exposed { validator, what, failure, is_refused, is_lenient, .. } = exposed;
        let names = exposed.names();
        let head = match (failure, is_refused) {
            (None, false) => format!("`{validator}` accepts {names}: "),
            (None, true) => format!("`{validator}`, {names}: "),
            (Some(failure), _) => format!("`{validator}`: {failure}, given {names}: "),
        };
        let tone = if failure.is_none() && !is_lenient { Tone::Bad } else { Tone::Doubtful };
        let line = Line::new().tone(tone, if *is_lenient { "warning" } else { "exposed" }).add("  ");
        self.print(wrap_whole(line, &prose(&format!("{head}{what}")), self.options.width));
    }

    fn probed(&mut self, probed: &Probed) {
        if self.options.quiet && probed.exposed == 0 {
            return;
        }
        let what = [(probed.inputs, "input"), (probed.answers, "answer"), (probed.outputs, "output")];
        let what: Vec<String> = what.iter().filter(|(n, _)| *n > 0).map(|(n, noun)| numbered(*n, noun)).collect();
        let (tone, word) = if probed.exposed == 0 { (Tone::Good, "OK") } else { (Tone::Bad, "FAIL") };
        let text = match (what.is_empty(), probed.exposed) {
            (true, 0) => return,
            (_, 0) => format!("validators and checker are right about {}", list_and(&what)),
            (_, exposed) => format!("{} about {}", numbered(exposed, "wrong opinion"), list_and(&what)),
        };
        let text = match probed.lenient {
            0 => text,
            _ => format!("{text}, but for what is warned about (`--strict` fails then)"),
        };
        self.print(wrap_whole(Line::new().tone(tone, word).add("  "), &text, self.options.width));
    }

    fn warning(&mut self, warning: &Warning) {
        let head = Line::new().tone(Tone::Doubtful, "warning").add(": ");
        let mut lines = wrap_whole(head, &prose(&warning.message), self.options.width);
        if let Some(help) = &warning.help {
            let head = Line::plain("   ").tone(Tone::Copy, "help").add(": ");
            lines.extend(wrap_whole(head, &prose(help), self.options.width));
        }
        self.notes(lines);
    }

    fn summary(&mut self, summary: &Summary) {
        self.clear();
        let lines = summary::summary(summary, self.started.as_ref(), &self.options);
        self.results(lines);
    }
}

impl<W: Write, E: Write> Sink for Terminal<W, E> {
    fn take(&mut self, event: &Event) {
        match event {
            Event::Activity(activity) => self.note_activity(activity),
            Event::Compiled(compiled) => self.compiled(compiled),
            Event::Started(started) => self.started(started),
            Event::Progress(progress) => self.progress(progress),
            Event::Failed(failed) => self.failed(failed),
            Event::Shrinking(shrinking) => self.shrinking(shrinking),
            Event::Found(found) => self.found(found),
            Event::Validated(validated) => self.validated(validated),
            Event::Profile(profile) => {
                let lines = super::profile::profile(profile, &self.options);
                self.results(lines);
            }
            // Whoever lists inputs prints them as they are: they are data.
            Event::Input(_) => {}
            Event::Enumerated(enumerated) => self.enumerated(enumerated),
            Event::Exposed(exposed) => self.exposed(exposed),
            Event::Flaw(flaw) => {
                let lines = super::build::flaw(flaw, self.options.width);
                self.results(lines);
            }
            Event::Building(building) => self.building(building),
            Event::Built(built) => {
                self.clear();
                let lines = super::build::built(built, &self.options);
                self.results(lines);
            }
            Event::Verifying(verifying) => self.verifying(verifying),
            Event::Judged(judged) => self.judged(judged),
            Event::Assessed(assessed) => self.assessed(assessed),
            Event::Unfinished(unfinished) => self.unfinished(unfinished),
            Event::TimeLimit(limit) => self.time_limit(limit),
            Event::Probed(probed) => self.probed(probed),
            Event::Warning(warning) => self.warning(warning),
            Event::Summary(summary) => self.summary(summary),
        }
    }
}

/// Writes while the live block, if there is one, is out of the way.
fn aside(live: Option<&Live>, write: impl FnOnce()) {
    match live {
        Some(live) => live.aside(write),
        None => write(),
    }
}

/// The start of a line about what is done: the verb, ending in the same column on each.
pub(crate) fn verb_line(verb: &str) -> Line {
    Line::new().tone(Tone::Good, format!("{verb:>VERB_WIDTH$}")).add("  ")
}
