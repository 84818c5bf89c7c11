//! Results in the XML that build servers read: a suite for each package and each search, a test for each submission, and one for
//! a test set that was built.

use super::amounts::in_points;
use super::visible::{visible, visible_lines};
use crate::campaign::{Assessed, Built, Event, Exposed, Flaw, Found, Judged, Sink, Summary};
use crate::diagnostic::{Error, numbered};
use crate::score::Marks;
use crate::verdict::Verdict;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event as Xml};
use quick_xml::writer::Writer;
use std::collections::BTreeMap;
use std::io;

/// So much of an input or an output is shown, in bytes: the finding's folder has all of it.
const SHOWN_BYTES: usize = 2000;

/// Collects what the campaign says; the document can be had at its end.
#[derive(Debug, Default)]
pub struct Junit {
    suites: Vec<Suite>,
}

#[derive(Debug, Default)]
struct Suite {
    name: String,
    /// Whether verifying a package of that name belongs to it.
    is_open: bool,
    tests: Vec<Test>,
    /// Time on the wall clock by submission, in milliseconds.
    times: BTreeMap<String, u64>,
}

#[derive(Debug)]
struct Test {
    name: String,
    /// What failed, in one line, and everything that is to be said about it.
    failure: Option<(String, String)>,
    /// What is told of it however it ended.
    told: Option<String>,
    time_ms: u64,
}

impl Sink for Junit {
    fn take(&mut self, event: &Event) {
        match event {
            // What was built is verified in the same suite.
            Event::Verifying(verifying)
                if self.suites.last().is_some_and(|s| s.name == verifying.problem && s.is_open) => {}
            Event::Verifying(verifying) => self.open(&verifying.problem),
            Event::Judged(judged) => self.suite().judged(judged),
            Event::Assessed(assessed) => self.suite().assessed(assessed),
            Event::Exposed(exposed) => self.suite().exposed(exposed),
            Event::Flaw(flaw) => self.suite().flaw(flaw),
            Event::Built(built) => self.suite().built(built),
            Event::Found(found) => self.suite().found(found),
            Event::Summary(summary) => self.summary(summary),
            _ => {}
        }
    }
}

impl Junit {
    /// The document.
    ///
    /// # Errors
    /// None but those of memory.
    pub fn document(&self) -> io::Result<Vec<u8>> {
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
        writer.write_event(Xml::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let root = BytesStart::new("testsuites");
        writer.write_event(Xml::Start(root.with_attributes([("name", "rebut")])))?;
        let names = unique(self.suites.iter().map(|suite| suite.name.as_str()));
        for (suite, name) in self.suites.iter().zip(names) {
            suite.write(&name, &mut writer)?;
        }
        writer.write_event(Xml::End(BytesEnd::new("testsuites")))?;
        let mut text = writer.into_inner();
        text.push(b'\n');
        Ok(text)
    }

    /// Begins a suite: what comes next is about this package, or this search.
    pub fn open(&mut self, name: &str) {
        self.suites.push(Suite { name: name.to_owned(), ..Suite::default() });
    }

    /// Begins a suite of a package that is built: it is verified in the same suite.
    pub fn open_to_be_verified(&mut self, name: &str) {
        self.suites.push(Suite { name: name.to_owned(), is_open: true, ..Suite::default() });
    }

    /// Takes the submissions for which nothing was found.
    fn summary(&mut self, summary: &Summary) {
        let tried = summary.progress.as_ref().map_or(0, |progress| progress.test_cases.max(progress.cases));
        for name in &summary.survivors {
            let told = Some(format!(
                "nothing found in {}\n",
                numbered(usize::try_from(tried).unwrap_or(usize::MAX), "test case")
            ));
            self.suite().tests.push(Test { name: name.clone(), failure: None, told, time_ms: 0 });
        }
    }

    /// Notes an error that ended the work on a package, or all of it.
    pub fn broke(&mut self, error: &Error) {
        let failure = Some((error.message().to_owned(), error.to_string()));
        self.suite().tests.push(Test { name: "rebut".to_owned(), failure, told: None, time_ms: 0 });
    }

    /// The suite of the package that is spoken of; probes come before its submissions, and may open it.
    fn suite(&mut self) -> &mut Suite {
        if self.suites.is_empty() {
            self.suites.push(Suite::default());
        }
        let last = self.suites.len() - 1;
        &mut self.suites[last]
    }
}

impl Suite {
    fn judged(&mut self, judged: &Judged) {
        *self.times.entry(judged.submission.clone()).or_default() += judged.wall_time_ms;
    }

    fn assessed(&mut self, assessed: &Assessed) {
        let why = assessed.why.clone().unwrap_or_default();
        let mut body = format!("{why}\nexpected: {}\ngot: {}\n", assessed.expected.permitted, assessed.verdict.code());
        if let Some((case, said)) = &assessed.first_rejection {
            body.push_str(&format!("first rejection: {case}: {said}\n"));
        }
        body.push_str(assessed.compiler.as_deref().unwrap_or_default());
        let time_ms = self.times.get(&assessed.submission).copied().unwrap_or(0);
        let failure = (!assessed.met).then_some((why, body));
        let told = assessed.marks.as_ref().map(points);
        self.tests.push(Test { name: assessed.submission.clone(), failure, told, time_ms });
    }

    fn flaw(&mut self, flaw: &Flaw) {
        let body = format!("{}\n{}\n", flaw.message, flaw.note.as_deref().unwrap_or_default());
        let failure = Some((flaw.message.clone(), body));
        self.tests.push(Test { name: flaw.test.clone(), failure, told: None, time_ms: 0 });
    }

    fn built(&mut self, built: &Built) {
        let lines: String = built.changes.lines().into_iter().map(|line| line + "\n").collect();
        let count = built.changes.lines().len();
        let failure = (!built.written && built.flaws == 0 && !built.changes.is_none())
            .then(|| (format!("{} not as the recipe says", numbered(count, "file")), lines.clone()));
        let told = (failure.is_none() && !lines.is_empty()).then_some(lines);
        self.tests.push(Test { name: "test set".to_owned(), failure, told, time_ms: 0 });
    }

    fn found(&mut self, found: &Found) {
        let (head, time_ms) = (format!("{}: {}", found.verdict, found.message), found.elapsed_ms);
        let shown = |bytes: &[u8]| crate::diagnostic::shorten(bytes, SHOWN_BYTES);
        let mut body = format!("{head}\ninput:\n{}\n", shown(&found.input));
        body.push_str(&format!("expected:\n{}\ngot:\n{}\n", shown(&found.answer), shown(&found.output)));
        found.replay.iter().for_each(|replay| body.push_str(&format!("replay: {replay}\n")));
        if found.verdict == Verdict::CompileError {
            body = format!("{head}\n{}", String::from_utf8_lossy(&found.stderr));
        }
        let test = |failure, told| Test { name: found.submission.clone(), failure, told, time_ms };
        // A failure that did not show again is no finding.
        self.tests.push(match found.is_confirmed() {
            true => test(Some((head, body)), None),
            false => test(None, Some(format!("did not fail again\n{body}"))),
        });
    }

    fn exposed(&mut self, exposed: &Exposed) {
        let Exposed { validator, name, what, failure, is_refused, is_lenient, .. } = exposed;
        let verb = if *is_refused { "refuses" } else { "accepts" };
        let head = failure.clone().unwrap_or_else(|| format!("`{validator}` {verb} {}", exposed.names()));
        let body = format!("{head}: {what}\n");
        let (failure, told) = if *is_lenient { (None, Some(body)) } else { (Some((head, body)), None) };
        self.tests.push(Test { name: format!("{validator} on {name}"), failure, told, time_ms: 0 });
    }

    fn write(&self, name: &str, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let failures = self.tests.iter().filter(|test| test.failure.is_some()).count();
        let time = seconds(self.tests.iter().map(|test| test.time_ms).sum());
        let (tests, failures, name) = (self.tests.len().to_string(), failures.to_string(), attribute(name));
        let attributes = [
            ("name", name.as_str()),
            ("tests", tests.as_str()),
            ("failures", failures.as_str()),
            ("errors", "0"),
            ("time", time.as_str()),
        ];
        writer.write_event(Xml::Start(BytesStart::new("testsuite").with_attributes(attributes)))?;
        let names = unique(self.tests.iter().map(|test| test.name.as_str()));
        for (test, test_name) in self.tests.iter().zip(names) {
            test.write(&name, &attribute(&test_name), writer)?;
        }
        writer.write_event(Xml::End(BytesEnd::new("testsuite")))
    }
}

impl Test {
    fn write(&self, suite: &str, name: &str, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let time = seconds(self.time_ms);
        let attributes = [("classname", suite), ("name", name), ("time", time.as_str())];
        let start = BytesStart::new("testcase").with_attributes(attributes);
        if self.failure.is_none() && self.told.is_none() {
            return writer.write_event(Xml::Empty(start));
        }
        writer.write_event(Xml::Start(start))?;
        if let Some((message, body)) = &self.failure {
            let message = attribute(message.trim_end());
            let start = BytesStart::new("failure").with_attributes([("message", message.as_str())]);
            writer.write_event(Xml::Start(start))?;
            writer.write_event(Xml::Text(BytesText::new(&body_text(body))))?;
            writer.write_event(Xml::End(BytesEnd::new("failure")))?;
        }
        if let Some(told) = &self.told {
            writer.write_event(Xml::Start(BytesStart::new("system-out")))?;
            writer.write_event(Xml::Text(BytesText::new(&body_text(told))))?;
            writer.write_event(Xml::End(BytesEnd::new("system-out")))?;
        }
        writer.write_event(Xml::End(BytesEnd::new("testcase")))
    }
}

/// The points of a submission, a line for all and one for each group.
fn points(marks: &Marks) -> String {
    let total = format!("score: {}\n", in_points(&marks.total));
    let groups =
        marks.groups.iter().map(|mark| format!("{}: {}, {}\n", mark.group, mark.verdict.code(), in_points(mark)));
    [total].into_iter().chain(groups).collect()
}

fn seconds(ms: u64) -> String {
    format!("{}.{:03}", ms / 1000, ms % 1000)
}

/// Returns a value of an attribute: one line, made visible. XML cannot hold most control characters, not even as references,
/// and readers show all others as they are.
fn attribute(text: &str) -> String {
    without_noncharacters(&visible(text))
}

/// Returns the text of an element, made visible line by line.
fn body_text(text: &str) -> String {
    without_noncharacters(&visible_lines(text))
}

/// The last two characters of the first plane are none, in Unicode and in XML.
fn without_noncharacters(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}')).collect()
}

/// Names of which no two are alike: readers of the format keep one test of a name.
fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let unique = names.map(|name| {
        let count = seen.entry(attribute(name)).or_default();
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name} ({count})") }
    });
    unique.collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_text_is_clean() {
        let exposed = |name: &str| {
            Event::Exposed(Exposed {
                validator: "v.py".to_owned(),
                name: name.to_owned(),
                what: "a <tag> & \u{1b}[31mred\0".to_owned(),
                failure: None,
                is_refused: false,
                is_lenient: false,
                others: Vec::new(),
            })
        };
        let mut junit = Junit::default();
        junit.take(&exposed("x"));
        junit.take(&exposed("x"));
        let text = String::from_utf8(junit.document().unwrap()).unwrap();
        assert!(text.contains("name=\"v.py on x\"") && text.contains("name=\"v.py on x (2)\""), "{text}");
        assert!(text.contains("a &lt;tag&gt; &amp; ␛[31mred␀\n"), "{text}");
        assert!(text.contains("tests=\"2\" failures=\"2\""), "{text}");
    }

    #[test]
    fn no_text_turns_the_direction_of_a_report() {
        let hostile = "a\u{202e}b\u{2066}c\u{9b}\n\u{1b}d";
        let mut junit = Junit::default();
        junit.broke(&Error::judge(hostile));
        let text = String::from_utf8(junit.document().unwrap()).unwrap();
        assert!(text.contains("message=\"a\\u{202e}b\\u{2066}c\\u{9b}␊␛d\""), "{text}");
        assert!(
            !text
                .chars()
                .any(|c| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
        );
    }
}
