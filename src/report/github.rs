//! What a workflow on GitHub shows: an annotation for each thing that is not as expected, and a summary of the step.

use super::amounts::{duration, in_points};
use super::visible::{visible, visible_lines};
use crate::campaign::{Assessed, Built, Event, Exposed, Flaw, Found, Sink, Summary, TimeLimit};
use crate::diagnostic::{Error, numbered};
use crate::verdict::Verdict;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes annotations as they come, and collects the summary.
pub struct Github<W: Write> {
    out: W,
    folder: PathBuf,
    summary: String,
    failure: Option<io::Error>,
}

impl<W: Write> Github<W> {
    /// Annotations go to `out`: the standard output, where the workflow reads them.
    pub fn new(out: W) -> Self {
        Github { out, folder: PathBuf::new(), summary: String::new(), failure: None }
    }

    /// The summary of the step, in Markdown.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Returns the first failure to write, if there was one.
    pub fn write_error(&self) -> Option<&io::Error> {
        self.failure.as_ref()
    }

    /// Notes the package that is built, or searched, from now on.
    pub fn open(&mut self, name: &str, folder: &Path) {
        folder.clone_into(&mut self.folder);
        let _ = writeln!(self.summary, "### {}\n", cell(name));
    }

    /// Notes an error that ended the work on a package, or all of it.
    pub fn broke(&mut self, error: &Error) {
        self.annotate("error", None, "rebut", error.message());
        let _ = writeln!(self.summary, "\n❌ {}\n", cell(error.message()));
    }

    fn annotate(&mut self, kind: &str, file: Option<&str>, title: &str, text: &str) {
        let file = file.map(|file| format!("file={},", property(file))).unwrap_or_default();
        let command = format!("::{kind} {file}title={}::{}\n", property(title), data(text));
        if self.failure.is_none() {
            self.failure = self.out.write_all(command.as_bytes()).and_then(|()| self.out.flush()).err();
        }
    }

    fn row(&mut self, assessed: &Assessed) {
        let slowest = assessed.slowest.as_ref().map(|m| duration(m.cpu_time_ms)).unwrap_or_default();
        let (mark, why) = if assessed.met { ("✅", "") } else { ("❌", assessed.why.as_deref().unwrap_or_default()) };
        let points = assessed.marks.as_ref().map(|marks| format!(", {}", in_points(&marks.total))).unwrap_or_default();
        let verdict = format!("{}{points}", assessed.verdict.code());
        let cells = [&assessed.submission, &verdict, &slowest, why].map(cell);
        let _ = writeln!(self.summary, "| {mark} | {} |", cells.join(" | "));
    }

    fn assessed(&mut self, assessed: &Assessed) {
        self.row(assessed);
        if assessed.met {
            return;
        }
        let file = self.folder.join("submissions").join(&assessed.submission).display().to_string();
        let mut text = assessed.why.clone().unwrap_or_default();
        if let Some((case, said)) = &assessed.first_rejection {
            let _ = write!(text, "\n{case}: {said}");
        }
        let _ = write!(text, "\n{}", assessed.compiler.as_deref().unwrap_or_default());
        self.annotate("error", Some(&file), &assessed.submission, text.trim_end());
    }

    fn flaw(&mut self, flaw: &Flaw) {
        let file = self.folder.join("tests.toml").display().to_string();
        let text = format!("{}\n{}", flaw.message, flaw.note.as_deref().unwrap_or_default());
        self.annotate("error", Some(&file), &flaw.test, text.trim_end());
        let _ = writeln!(self.summary, "- ❌ {}: {}", cell(&flaw.test), cell(&flaw.message));
    }

    fn built(&mut self, built: &Built) {
        let is_wrong = !built.written && built.flaws == 0 && !built.changes.is_none();
        for line in built.changes.lines().iter().filter(|_| is_wrong) {
            let (word, path) = line.split_once(' ').unwrap_or(("", line));
            let file = self.folder.join("data").join(path).display().to_string();
            self.annotate("error", Some(&file), "test set", &format!("{word}: not as the recipe says"));
            let _ = writeln!(self.summary, "- ❌ {}", cell(line));
        }
        if built.flaws == 0 && !is_wrong {
            let _ = writeln!(self.summary, "- ✅ {}", numbered(built.tests.len(), "test"));
        }
    }

    fn found(&mut self, found: &Found) {
        /// So much of an input is shown, in bytes.
        const SHOWN_BYTES: usize = 500;
        let head = format!("{}: {}", found.verdict, found.message);
        let input = crate::diagnostic::shorten(&found.input, SHOWN_BYTES);
        let output = String::from_utf8_lossy(&found.stderr);
        let body = if found.verdict == Verdict::CompileError { &*output } else { &input };
        let replay = found.replay.as_ref().map(|replay| format!("\nreplay: {replay}")).unwrap_or_default();
        let kind = if found.is_confirmed() { "error" } else { "warning" };
        self.annotate(kind, None, &found.submission, &format!("{head}\n{body}{replay}"));
        let mark = if found.is_confirmed() { "❌" } else { "⚠️" };
        let _ = writeln!(self.summary, "- {mark} {}: {}", cell(&found.submission), cell(&head));
    }

    fn survivors(&mut self, summary: &Summary) {
        for name in &summary.survivors {
            let _ = writeln!(self.summary, "- ✅ {}: nothing found", cell(name));
        }
    }

    fn exposed(&mut self, exposed: &Exposed) {
        let Exposed { validator, what, failure, is_refused, is_lenient, .. } = exposed;
        let verb = if *is_refused { "refuses" } else { "accepts" };
        let text = failure.clone().unwrap_or_else(|| format!("{verb} {}", exposed.names()));
        self.annotate(if *is_lenient { "warning" } else { "error" }, None, validator, &format!("{text}: {what}"));
    }

    fn time_limit(&mut self, limit: &TimeLimit) {
        let _ = writeln!(self.summary, "\ntime limit {}\n", duration(limit.cpu_time_limit_ms));
        for advice in &limit.advice {
            let _ = writeln!(self.summary, "- {}", cell(advice));
            self.annotate("warning", None, "time limit", advice);
        }
    }
}

impl<W: Write> Sink for Github<W> {
    fn take(&mut self, event: &Event) {
        match event {
            Event::Verifying(verifying) => {
                self.folder.clone_from(&verifying.folder);
                let problem = cell(&verifying.problem);
                let _ = writeln!(self.summary, "### {problem}\n\n| | submission | verdict | slowest | |\n|-|-|-|-|-|");
            }
            Event::Assessed(assessed) => self.assessed(assessed),
            Event::Exposed(exposed) => self.exposed(exposed),
            Event::TimeLimit(limit) => self.time_limit(limit),
            Event::Flaw(flaw) => self.flaw(flaw),
            Event::Built(built) => self.built(built),
            Event::Found(found) => self.found(found),
            Event::Summary(summary) => self.survivors(summary),
            Event::Warning(warning) => self.annotate("warning", None, "rebut", &warning.message),
            _ => {}
        }
    }
}

/// Text after the last `::`, where a line end would end the command. What programs wrote is in it, so it is made visible.
fn data(text: &str) -> String {
    visible_lines(text).trim_end_matches('\n').replace('%', "%25").replace('\n', "%0A")
}

/// A value before it, where commas and colons separate.
fn property(text: &str) -> String {
    visible(text).replace('%', "%25").replace(':', "%3A").replace(',', "%2C")
}

/// Text in a cell of a table.
fn cell(text: impl AsRef<str>) -> String {
    visible(text.as_ref()).replace('|', "\\|").replace('<', "&lt;")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_write_a_command_of_its_own() {
        let mut github = Github::new(Vec::new());
        github.take(&Event::Exposed(Exposed {
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
    fn no_text_reaches_the_log_or_the_summary_with_control_characters() {
        let hostile = "a\u{1b}]0;title\u{7}\u{202e}b\u{2066}\r\nc\u{9b}2J".to_owned();
        let mut github = Github::new(Vec::new());
        let failure = Some(hostile.clone());
        let exposed = |name: &str, validator: &str| Exposed {
            validator: validator.to_owned(),
            name: name.to_owned(),
            what: hostile.clone(),
            failure: failure.clone(),
            is_refused: false,
            is_lenient: false,
            others: Vec::new(),
        };
        github.take(&Event::Exposed(exposed(&hostile, &hostile)));
        github.take(&Event::Warning(crate::campaign::Warning { message: hostile.clone(), help: None }));
        github.broke(&Error::judge(hostile.clone()));
        let text = String::from_utf8(github.out.clone()).unwrap() + github.summary();
        let is_hostile =
            |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!text.chars().any(is_hostile), "{text:?}");
        assert!(text.contains("a␛]0;title␇\\u{202e}b\\u{2066}%0Ac\\u{9b}2J"), "{text}");
    }
}
