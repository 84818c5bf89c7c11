//! Results as JUnit XML: a suite per package or search, with a test case per submission and one for a built test set.

use super::escape::{escape_invisible, escape_lines, shorten_lines};
use super::units::format_points;
use rebut_diagnostics::{Error, count_with_noun, escape_markup};
use rebut_engine::event::{
    BuildFlaw, BuildSummary, CellJudged, CommandSummary, Event, EventSink, Finding, StrengthScore, SubmissionAssessed,
    TestSetStrength, ValidatorExposure,
};
use rebut_packages::score::SubmissionScore;
use rebut_packages::verdict::Verdict;
use std::collections::BTreeMap;

/// Maximum number of characters shown of an input or an output; the finding's folder has all of it.
const MAX_SHOWN_CHARS: usize = 2000;

/// Collects the results of a command; [`JunitReport::to_xml`] returns the document.
#[derive(Debug, Default)]
pub struct JunitReport {
    suites: Vec<JunitSuite>,
}

#[derive(Debug, Default)]
struct JunitSuite {
    name: String,
    /// Whether a verification of the package with this name is added to this suite.
    accepts_verification: bool,
    test_cases: Vec<JunitTestCase>,
    /// Elapsed real time of the runs of each submission, in milliseconds.
    wall_times_ms: BTreeMap<String, u64>,
}

#[derive(Debug)]
struct JunitTestCase {
    name: String,
    /// Message and details of the failure, if it failed.
    failure: Option<(String, String)>,
    /// Whether nothing was tested.
    is_skipped: bool,
    /// Text shown whether it passed or failed.
    system_out: Option<String>,
    time_ms: u64,
}

impl EventSink for JunitReport {
    fn take_event(&mut self, event: &Event) {
        match event {
            // A package that was just built is verified in the same suite.
            Event::Verifying(verifying)
                if self.suites.last().is_some_and(|s| s.name == verifying.problem && s.accepts_verification) => {}
            Event::Verifying(verifying) => self.begin_suite(&verifying.problem),
            Event::Judged(judged) => self.current_suite().add_run_time(judged),
            Event::Assessed(assessed) => self.current_suite().add_assessed(assessed),
            Event::Exposed(exposed) => self.current_suite().add_exposed(exposed),
            Event::Flaw(flaw) => self.current_suite().add_flaw(flaw),
            Event::Built(built) => self.current_suite().add_build(built),
            Event::Found(found) => self.current_suite().add_finding(found),
            Event::Strength(strength) => self.add_strength(strength),
            Event::Summary(summary) => {
                self.add_survivors(summary);
                self.add_status(summary);
            }
            _ => {}
        }
    }
}

impl JunitReport {
    /// Returns the document.
    pub fn to_xml(&self) -> String {
        let names = unique_names(self.suites.iter().map(|suite| suite.name.as_str()));
        let suites: String = self.suites.iter().zip(names).map(|(suite, name)| suite.to_xml(&name)).collect();
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rebut\">\n{suites}</testsuites>\n")
    }

    /// Begins the suite of a package or a search; the results that follow belong to it.
    pub fn begin_suite(&mut self, name: &str) {
        self.suites.push(JunitSuite { name: name.to_owned(), ..JunitSuite::default() });
    }

    /// Begins the suite of a package that is built, and then verified in the same suite.
    pub fn begin_build_suite(&mut self, name: &str) {
        self.suites.push(JunitSuite { name: name.to_owned(), accepts_verification: true, ..JunitSuite::default() });
    }

    /// Adds the submissions for which nothing was found.
    fn add_survivors(&mut self, summary: &CommandSummary) {
        let tried = summary.progress.as_ref().map_or(0, |progress| progress.test_cases.max(progress.cases));
        for name in &summary.survivors {
            let tried = count_with_noun(usize::try_from(tried).unwrap_or(usize::MAX), "test case");
            let system_out = Some(format!("{} in {tried}\n", summary.nothing_found()));
            self.current_suite().add(name, None, system_out, 0);
        }
    }

    /// Adds how strong the test set of a package is.
    fn add_strength(&mut self, strength: &TestSetStrength) {
        let StrengthScore { killed, programs, .. } = strength.score;
        let text = format!("{killed} of {} die", count_with_noun(programs, "wrong program"));
        let survivors = strength.submissions.iter().chain(&strength.trivial).filter(|program| program.is_survivor());
        let lines: String = survivors.map(|program| format!("no test kills {}\n", program.program)).collect();
        let (head, body) = (format!("the test set is too weak: {text}"), format!("{text}\n{lines}"));
        let is_sufficient = strength.score.is_sufficient();
        self.begin_suite(&strength.problem);
        let (failure, system_out) = if is_sufficient { (None, Some(body)) } else { (Some((head, body)), None) };
        self.current_suite().add("strength", failure, system_out, 0);
    }

    /// Adds a failure if the command fails for a reason that no result shows, such as a search that is inconclusive.
    fn add_status(&mut self, summary: &CommandSummary) {
        let mut tests = self.suites.iter().flat_map(|suite| &suite.test_cases);
        if summary.exit_status != 0 && tests.all(|test| test.failure.is_none()) {
            let text = summary.failure_text();
            self.current_suite().add("rebut", Some((text.clone(), text)), None, 0);
        }
    }

    /// Adds an error that ended the work on a package, or the whole command.
    pub fn add_error(&mut self, error: &Error) {
        let failure = Some((error.message().to_owned(), error.to_string()));
        self.current_suite().add("rebut", failure, None, 0);
    }

    /// Returns the current suite, or a new one if none has begun: results of probes arrive before those of submissions.
    fn current_suite(&mut self) -> &mut JunitSuite {
        if self.suites.is_empty() {
            self.begin_suite("rebut");
        }
        let last = self.suites.len() - 1;
        &mut self.suites[last]
    }
}

impl JunitSuite {
    fn add(&mut self, name: &str, failure: Option<(String, String)>, system_out: Option<String>, time_ms: u64) {
        let name = name.to_owned();
        self.test_cases.push(JunitTestCase { name, failure, is_skipped: false, system_out, time_ms });
    }

    fn add_run_time(&mut self, judged: &CellJudged) {
        *self.wall_times_ms.entry(judged.submission.clone()).or_default() += judged.wall_time_ms;
    }

    fn add_assessed(&mut self, assessed: &SubmissionAssessed) {
        let why = assessed.why.clone().unwrap_or_default();
        let mut body = format!("{why}\nexpected: {}\ngot: {}\n", assessed.expected.permitted, assessed.verdict.code());
        if let Some((case, message)) = &assessed.first_rejection {
            body.push_str(&format!("first rejection: {case}: {message}\n"));
        }
        body.push_str(assessed.compiler.as_deref().unwrap_or_default());
        let time_ms = self.wall_times_ms.get(&assessed.submission).copied().unwrap_or(0);
        let failure = (!assessed.met).then_some((why, body));
        let system_out = assessed.marks.as_ref().map(points_text);
        let is_skipped = assessed.met && !assessed.has_expectation;
        let name = assessed.submission.clone();
        self.test_cases.push(JunitTestCase { name, failure, is_skipped, system_out, time_ms });
    }

    fn add_flaw(&mut self, flaw: &BuildFlaw) {
        let body = format!("{}\n{}\n", flaw.message, flaw.note.clone().unwrap_or_default());
        let failure = Some((flaw.message.clone(), body));
        self.add(&flaw.test, failure, None, 0);
    }

    fn add_build(&mut self, built: &BuildSummary) {
        let lines: String = built.changes.change_lines().into_iter().map(|line| line + "\n").collect();
        let count = built.changes.change_lines().len();
        let failure = (!built.written && built.flaws == 0 && !built.changes.is_empty())
            .then(|| (format!("{} not matching the recipe", count_with_noun(count, "file")), lines.clone()));
        let system_out = (failure.is_none() && !lines.is_empty()).then_some(lines);
        self.add("test set", failure, system_out, 0);
    }

    fn add_finding(&mut self, found: &Finding) {
        let (head, time_ms) =
            (format!("{}: {}", found.failure.verdict, found.failure.message), found.origin.elapsed_ms);
        let shown = |bytes: &[u8]| shorten_lines(bytes, MAX_SHOWN_CHARS);
        let mut body = format!("{head}\ninput:\n{}\n", shown(&found.run.input));
        body.push_str(&format!("expected:\n{}\ngot:\n{}\n", shown(&found.run.answer), shown(&found.run.output)));
        found.saved.replay.iter().for_each(|replay| body.push_str(&format!("replay: {replay}\n")));
        if found.failure.verdict == Verdict::CompileError {
            body = format!("{head}\n{}", String::from_utf8_lossy(&found.run.stderr));
        }
        // A failure that could not be reproduced is not reported as one.
        match found.is_confirmed() {
            true => self.add(&found.failure.submission, Some((head, body)), None, time_ms),
            false => {
                let text = format!("the failure could not be reproduced\n{body}");
                self.add(&found.failure.submission, None, Some(text), time_ms);
            }
        }
    }

    fn add_exposed(&mut self, exposed: &ValidatorExposure) {
        let ValidatorExposure { validator, name, what, failure, is_refused, is_lenient, .. } = exposed;
        let verb = if *is_refused { "refuses" } else { "accepts" };
        let head = failure.clone().unwrap_or_else(|| format!("`{validator}` {verb} {}", exposed.listed_names()));
        let body = format!("{head}: {what}\n");
        let (failure, system_out) = if *is_lenient { (None, Some(body)) } else { (Some((head, body)), None) };
        self.add(&format!("{validator} on {name}"), failure, system_out, 0);
    }

    fn to_xml(&self, name: &str) -> String {
        let failures = self.test_cases.iter().filter(|test| test.failure.is_some()).count();
        let skipped = self.test_cases.iter().filter(|test| test.is_skipped).count();
        let time = format_seconds(self.test_cases.iter().map(|test| test.time_ms).sum());
        let (name, count) = (attribute_text(name), self.test_cases.len());
        let names = unique_names(self.test_cases.iter().map(|test| test.name.as_str()));
        let tests = self.test_cases.iter().zip(names).map(|(test, own)| test.to_xml(&name, &attribute_text(&own)));
        format!(
            "  <testsuite name=\"{name}\" tests=\"{count}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" time=\"{time}\">\n{}  </testsuite>\n",
            tests.collect::<String>()
        )
    }
}

impl JunitTestCase {
    fn to_xml(&self, suite: &str, name: &str) -> String {
        let failure = self.failure.as_ref().map(|(message, body)| {
            let message = attribute_text(message.trim_end());
            format!("      <failure message=\"{message}\">{}</failure>\n", body_text(body))
        });
        let skipped = self.is_skipped.then(|| "      <skipped message=\"nothing is expected of it\"/>\n".to_owned());
        let output = self.system_out.as_ref();
        let output = output.map(|text| format!("      <system-out>{}</system-out>\n", body_text(text)));
        let start =
            format!("    <testcase classname=\"{suite}\" name=\"{name}\" time=\"{}\"", format_seconds(self.time_ms));
        match failure.into_iter().chain(skipped).chain(output).collect::<String>() {
            inside if inside.is_empty() => start + "/>\n",
            inside => format!("{start}>\n{inside}    </testcase>\n"),
        }
    }
}

/// Lists the points of a submission: the total, and one line for each group.
fn points_text(marks: &SubmissionScore) -> String {
    let total = format!("score: {}\n", format_points(&marks.total));
    let groups =
        marks.groups.iter().map(|mark| format!("{}: {}, {}\n", mark.group, mark.verdict.code(), format_points(mark)));
    [total].into_iter().chain(groups).collect()
}

fn format_seconds(ms: u64) -> String {
    format!("{}.{:03}", ms / 1000, ms % 1000)
}

/// Escapes the value of an attribute into one line. XML cannot contain most control characters, not even as references,
/// and readers show the others as they are.
fn attribute_text(text: &str) -> String {
    escape_xml(&escape_invisible(text))
}

/// Escapes the text of an element line by line.
fn body_text(text: &str) -> String {
    escape_xml(&escape_lines(text))
}

/// Escapes what is markup in XML, and removes U+FFFE and U+FFFF, which are noncharacters in Unicode and not allowed in it.
fn escape_xml(text: &str) -> String {
    escape_markup(text).replace('\'', "&apos;").replace(['\u{fffe}', '\u{ffff}'], "")
}

/// Makes names unique by appending numbers: readers of the format keep one test case per name.
fn unique_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let unique = names.map(|name| {
        let count = seen.entry(attribute_text(name)).or_default();
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name} ({count})") }
    });
    unique.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_text_is_clean() {
        let exposed = |name: &str| {
            Event::Exposed(ValidatorExposure {
                validator: "v.py".to_owned(),
                name: name.to_owned(),
                what: "a <tag> & \u{1b}[31mred\0".to_owned(),
                failure: None,
                is_refused: false,
                is_lenient: false,
                others: Vec::new(),
            })
        };
        let mut junit = JunitReport::default();
        junit.take_event(&exposed("x"));
        junit.take_event(&exposed("x"));
        let text = junit.to_xml();
        assert!(text.contains("name=\"v.py on x\"") && text.contains("name=\"v.py on x (2)\""), "{text}");
        assert!(text.contains("a &lt;tag&gt; &amp; ␛[31mred␀\n"), "{text}");
        assert!(text.contains("tests=\"2\" failures=\"2\""), "{text}");
    }

    #[test]
    fn bidirectional_controls_are_escaped() {
        let hostile = "a\u{202e}b\u{2066}c\u{9b}\n\u{1b}d";
        let mut junit = JunitReport::default();
        junit.add_error(&Error::judge_error(hostile));
        let text = junit.to_xml();
        assert!(text.contains("message=\"a\\u{202e}b\\u{2066}c\\u{9b}␊␛d\""), "{text}");
        assert!(
            !text
                .chars()
                .any(|c| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
        );
    }
}
