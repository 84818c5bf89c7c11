//! Results for GitHub Actions: an annotation for each problem, and a summary of the step.

use super::escape::{escape_invisible, escape_lines, shorten_lines};
use super::markdown::fenced_block;
use super::units::{format_duration, format_points, format_share};
use super::views::strength::describe_change;
use rebut_diagnostics::{Error, count_with_noun};
use rebut_engine::event::{
    BuildFlaw, BuildSummary, CommandSummary, Event, EventSink, Finding, StrengthScore, SubmissionAssessed, Survival,
    TestSetStrength, TimeLimitAdvice, ValidatorExposure,
};
use rebut_packages::verdict::Verdict;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes annotations as events arrive, and collects the step summary.
pub struct GithubReport<W: Write> {
    out: W,
    folder: PathBuf,
    /// The package that the section at the end of the summary is about.
    section: String,
    /// The sources of programs, by their names.
    sources: BTreeMap<String, PathBuf>,
    summary: String,
    first_error: Option<io::Error>,
}

impl<W: Write> GithubReport<W> {
    /// Creates a report that writes annotations to `out`, which should be the standard output, where the workflow reads
    /// them.
    pub fn new(out: W) -> Self {
        let (folder, section, sources, summary) = Default::default();
        GithubReport { out, folder, section, sources, summary, first_error: None }
    }

    /// Returns the summary of the step, in Markdown.
    pub fn step_summary(&self) -> &str {
        &self.summary
    }

    /// Returns the first write error, if any.
    pub fn write_error(&self) -> Option<&io::Error> {
        self.first_error.as_ref()
    }

    /// Begins a section about the package that is built or searched next.
    pub fn begin_package(&mut self, name: &str, folder: &Path) {
        folder.clone_into(&mut self.folder);
        name.clone_into(&mut self.section);
        self.sources.clear();
        let _ = writeln!(self.summary, "### {}\n", escape_cell(name));
    }

    /// Notes where the source of a program is, for annotations. Of several with the same name, the first one has it.
    pub fn locate_source(&mut self, name: &str, path: &Path) {
        self.sources.entry(path.display().to_string()).or_insert_with(|| path.to_owned());
        self.sources.entry(name.to_owned()).or_insert_with(|| path.to_owned());
    }

    /// Returns the file of a program of the package, or of its format.
    fn source_file(&self, name: &str) -> Option<String> {
        let format = || (name == "input.format").then(|| self.folder.join(name));
        Some(self.sources.get(name).cloned().or_else(format)?.display().to_string())
    }

    /// Reports an error that ended the work on a package, or the whole command, with the file and the line that it is
    /// about.
    pub fn report_error(&mut self, error: &Error, place: Option<(&str, usize)>) {
        let place = place.map(|(file, line)| format!("file={},line={line},", escape_property(file)));
        self.write_command("error", &place.unwrap_or_default(), "rebut", error.message());
        let _ = writeln!(self.summary, "\n❌ {}\n", escape_cell(error.message()));
    }

    fn write_annotation(&mut self, kind: &str, file: Option<&str>, title: &str, text: &str) {
        let place = file.map(|file| format!("file={},", escape_property(file))).unwrap_or_default();
        self.write_command(kind, &place, title, text);
    }

    fn write_command(&mut self, kind: &str, place: &str, title: &str, text: &str) {
        let command = format!("::{kind} {place}title={}::{}\n", escape_property(title), escape_data(text));
        if self.first_error.is_none() {
            self.first_error = self.out.write_all(command.as_bytes()).and_then(|()| self.out.flush()).err();
        }
    }

    fn add_summary_row(&mut self, assessed: &SubmissionAssessed) {
        let slowest = assessed.slowest.as_ref().map(|m| format_duration(m.cpu_time_ms)).unwrap_or_default();
        let (mark, why) = match assessed.met {
            true if assessed.has_expectation => ("✅", ""),
            true => ("➖", "none expected"),
            false => ("❌", assessed.why.as_deref().unwrap_or_default()),
        };
        let points =
            assessed.marks.as_ref().map(|marks| format!(", {}", format_points(&marks.total))).unwrap_or_default();
        let verdict = format!("{}{points}", assessed.verdict.code());
        let cells = [&assessed.submission, &verdict, &slowest, why].map(escape_cell);
        let _ = writeln!(self.summary, "| {mark} | {} |", cells.join(" | "));
    }

    fn on_assessed(&mut self, assessed: &SubmissionAssessed) {
        self.add_summary_row(assessed);
        if assessed.met {
            return;
        }
        let file = self.folder.join("submissions").join(&assessed.submission).display().to_string();
        let mut text = assessed.why.clone().unwrap_or_default();
        if let Some((case, message)) = &assessed.first_rejection {
            let _ = write!(text, "\n{case}: {message}");
        }
        let _ = write!(text, "\n{}", assessed.compiler.as_deref().unwrap_or_default());
        self.write_annotation("error", Some(&file), &assessed.submission, text.trim_end());
    }

    fn on_flaw(&mut self, flaw: &BuildFlaw) {
        let file = self.folder.join("tests.toml").display().to_string();
        let text = format!("{}\n{}", flaw.message, flaw.note.clone().unwrap_or_default());
        self.write_annotation("error", Some(&file), &flaw.test, text.trim_end());
        let _ = writeln!(self.summary, "- ❌ {}: {}", escape_cell(&flaw.test), escape_cell(&flaw.message));
    }

    fn on_built(&mut self, built: &BuildSummary) {
        let is_wrong = !built.written && built.flaws == 0 && !built.changes.is_empty();
        for line in built.changes.change_lines().iter().filter(|_| is_wrong) {
            let (word, path) = line.split_once(' ').unwrap_or(("", line));
            let file = self.folder.join("data").join(path).display().to_string();
            self.write_annotation("error", Some(&file), "test set", &format!("{word}: does not match the recipe"));
            let _ = writeln!(self.summary, "- ❌ {}", escape_cell(line));
        }
        if built.flaws == 0 && !is_wrong {
            let _ = writeln!(self.summary, "- ✅ {}", count_with_noun(built.tests.len(), "test"));
        }
    }

    fn on_found(&mut self, found: &Finding) {
        /// Maximum number of characters shown of an input.
        const MAX_SHOWN_CHARS: usize = 500;
        let head = format!("{}: {}", found.failure.verdict, found.failure.message);
        let input = shorten_lines(&found.run.input, MAX_SHOWN_CHARS);
        let output = String::from_utf8_lossy(&found.run.stderr);
        let body = if found.failure.verdict == Verdict::CompileError { &*output } else { &input };
        let replay = found.saved.replay.as_ref().map(|replay| format!("\nreplay: {replay}")).unwrap_or_default();
        let kind = if found.is_confirmed() { "error" } else { "warning" };
        let file = self.source_file(&found.failure.submission);
        self.write_annotation(kind, file.as_deref(), &found.failure.submission, &format!("{head}\n{body}{replay}"));
        let mark = if found.is_confirmed() { "❌" } else { "⚠️" };
        let _ = writeln!(self.summary, "- {mark} {}: {}", escape_cell(&found.failure.submission), escape_cell(&head));
        // Indented, it belongs to the item.
        let block = fenced_block(body.as_bytes()).replace('\n', "\n  ");
        let _ = writeln!(self.summary, "\n  {block}\n");
    }

    fn add_survivors(&mut self, summary: &CommandSummary) {
        for name in &summary.survivors {
            let _ = writeln!(self.summary, "- ✅ {}: {}", escape_cell(name), summary.nothing_found());
        }
        if summary.exit_status != 0 && !self.summary.contains('❌') {
            let _ = writeln!(self.summary, "\n❌ {}\n", escape_cell(summary.failure_text()));
        }
    }

    fn on_exposed(&mut self, exposed: &ValidatorExposure) {
        let ValidatorExposure { validator, what, failure, is_refused, is_lenient, .. } = exposed;
        let verb = if *is_refused { "refuses" } else { "accepts" };
        let text = failure.clone().unwrap_or_else(|| format!("{verb} {}", exposed.listed_names()));
        let (kind, text) = (if *is_lenient { "warning" } else { "error" }, format!("{text}: {what}"));
        self.write_annotation(kind, self.source_file(validator).as_deref(), validator, &text);
        if !is_lenient {
            let _ = writeln!(self.summary, "\n- ❌ {}: {}", escape_cell(validator), escape_cell(text));
        }
    }

    fn on_strength(&mut self, strength: &TestSetStrength) {
        let StrengthScore { killed, programs, .. } = strength.score;
        let mark = if strength.score.is_sufficient() { "✅" } else { "❌" };
        let score = format_share(killed as u64, programs as u64);
        let _ = writeln!(
            self.summary,
            "### {}\n\n{mark} strength {score}: {killed} of {} die\n",
            escape_cell(&strength.problem),
            count_with_noun(programs, "wrong program")
        );
        for program in strength.submissions.iter().filter(|program| program.is_survivor()) {
            let file = strength.folder.join("submissions").join(&program.program).display().to_string();
            self.write_annotation("error", Some(&file), &program.program, "no test kills it");
            let _ = writeln!(self.summary, "- no test kills {}", escape_cell(&program.program));
        }
        for one in &strength.mutation {
            let file = strength.folder.join("submissions").join(&one.submission).display().to_string();
            for mutant in one.survivors().filter(|mutant| !mutant.survival.as_ref().is_some_and(Survival::is_excused)) {
                let message = format!("no test kills this mutant: {}", describe_change(mutant));
                let place = format!("file={},line={},", escape_property(&file), mutant.line);
                self.write_command("warning", &place, &mutant.operator, &message);
            }
        }
        for program in strength.trivial.iter().filter(|program| program.is_survivor()) {
            let text = format!("{} passes every test", program.program);
            self.write_annotation("error", None, "test set", &text);
            let _ = writeln!(self.summary, "- {}", escape_cell(&text));
        }
    }

    fn on_time_limit(&mut self, limit: &TimeLimitAdvice) {
        let _ = writeln!(self.summary, "\ntime limit {}\n", format_duration(limit.cpu_time_limit_ms));
        for advice in &limit.advice {
            let _ = writeln!(self.summary, "- {}", escape_cell(advice));
            self.write_annotation("warning", None, "time limit", advice);
        }
    }
}

impl<W: Write> EventSink for GithubReport<W> {
    fn take_event(&mut self, event: &Event) {
        match event {
            Event::Verifying(verifying) => {
                if self.section != verifying.problem {
                    self.begin_package(&verifying.problem, &verifying.folder);
                }
                let _ = writeln!(self.summary, "\n| | submission | verdict | slowest | |\n|-|-|-|-|-|");
            }
            Event::Assessed(assessed) => self.on_assessed(assessed),
            Event::Exposed(exposed) => self.on_exposed(exposed),
            Event::TimeLimit(limit) => self.on_time_limit(limit),
            Event::Flaw(flaw) => self.on_flaw(flaw),
            Event::Built(built) => self.on_built(built),
            Event::Found(found) => self.on_found(found),
            Event::Summary(summary) => self.add_survivors(summary),
            Event::Strength(strength) => self.on_strength(strength),
            Event::Warning(warning) => self.write_annotation("warning", None, "rebut", &warning.message),
            _ => {}
        }
    }
}

/// Escapes the text of a workflow command, where a line end would end the command. It may contain output of programs,
/// so invisible characters are escaped as well.
fn escape_data(text: &str) -> String {
    escape_lines(text).trim_end_matches('\n').replace('%', "%25").replace('\n', "%0A")
}

/// Escapes a property of a workflow command, where commas and colons are separators.
fn escape_property(text: &str) -> String {
    escape_invisible(text).replace('%', "%25").replace(':', "%3A").replace(',', "%2C")
}

/// Escapes text in a cell of a table.
fn escape_cell(text: impl AsRef<str>) -> String {
    escape_invisible(text.as_ref()).replace('|', "\\|").replace('<', "&lt;")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_inject_workflow_commands() {
        let mut github = GithubReport::new(Vec::new());
        github.take_event(&Event::Exposed(ValidatorExposure {
            validator: "a:b,c".to_owned(),
            name: "x".to_owned(),
            what: "50%\n::set-output name=x::y".to_owned(),
            failure: None,
            is_refused: false,
            is_lenient: false,
            others: Vec::new(),
        }));
        let text = String::from_utf8(github.out).unwrap();
        assert_eq!(text, "::error title=a%3Ab%2Cc::accepts `x`: 50%25%0A::set-output name=x::y\n");
    }

    #[test]
    fn control_characters_are_escaped_in_log_and_summary() {
        let hostile = "a\u{1b}]0;title\u{7}\u{202e}b\u{2066}\r\nc\u{9b}2J".to_owned();
        let mut github = GithubReport::new(Vec::new());
        let failure = Some(hostile.clone());
        let exposed = |name: &str, validator: &str| ValidatorExposure {
            validator: validator.to_owned(),
            name: name.to_owned(),
            what: hostile.clone(),
            failure: failure.clone(),
            is_refused: false,
            is_lenient: false,
            others: Vec::new(),
        };
        github.take_event(&Event::Exposed(exposed(&hostile, &hostile)));
        github.take_event(&Event::Warning(rebut_engine::event::WarningEvent { message: hostile.clone(), help: None }));
        github.report_error(&Error::judge_error(hostile.clone()), None);
        let text = String::from_utf8(github.out.clone()).unwrap() + github.step_summary();
        let is_hostile =
            |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!text.chars().any(is_hostile), "{text:?}");
        assert!(text.contains("a␛]0;title␇\\u{202e}b\\u{2066}%0Ac\\u{9b}2J"), "{text}");
    }
}
