//! Tests of whole pages.

use super::*;
use rebut_engine::event::{
    BuildFlaw, BuildFlawKind, BuildSummary, BuiltTest, CellJudged, Finding, FindingFailure, GoalReached, MeasuredTime,
    ProbeSummary, SanitizerFinding, SubmissionAssessed, TimeLimitAdvice, ValidatorExposure, VerificationStarted,
    WarningEvent,
};
use rebut_packages::TestSetChanges;
use rebut_packages::score::{GroupScore, SubmissionScore};
use rebut_packages::verdict::{Expectation, Verdict};
use std::path::Path;

fn started(submissions: Vec<String>, test_cases: Vec<String>) -> VerificationStarted {
    VerificationStarted {
        problem: "sum".to_owned(),
        folder: "sum".into(),
        submissions,
        test_cases,
        cpu_time_limit_ms: Some(1000),
        memory_limit_bytes: 1 << 30,
        has_points: true,
        jobs: 2,
    }
}

fn judged(submission: &str, test_case: &str, verdict: Verdict, time: u64) -> Event {
    Event::Judged(CellJudged {
        submission: submission.to_owned(),
        test_case: test_case.to_owned(),
        verdict,
        cpu_time_ms: time,
        wall_time_ms: time,
        memory_peak_bytes: time << 18,
        message: String::new(),
        remembered: false,
        elapsed_ms: time,
    })
}

fn assessed(submission: &str, text: &str, met: bool, time: u64) -> Event {
    let mark = |group: &str| GroupScore {
        group: group.to_owned(),
        verdict: Verdict::WrongAnswer,
        score: Some(30.0),
        best: Some(100.0),
    };
    Event::Assessed(SubmissionAssessed {
        submission: submission.to_owned(),
        expected: Expectation::ACCEPTED,
        verdict: Verdict::WrongAnswer,
        marks: Some(SubmissionScore { total: mark("secret"), groups: vec![mark(text)] }),
        met,
        why: Some(text.to_owned()),
        verdicts: [("WA", 1)].into(),
        first_rejection: Some((text.to_owned(), text.to_owned())),
        slowest: Some(MeasuredTime {
            submission: submission.to_owned(),
            test_case: text.to_owned(),
            cpu_time_ms: time,
            was_stopped: false,
        }),
        slowest_is_idle: false,
        memory_peak_bytes: time << 18,
        is_close: true,
        compiler: Some(text.to_owned()),
        cpu_time_limit_ms: 1000,
    })
}

fn time_limit(text: &str, time: u64) -> Event {
    let measured =
        MeasuredTime { submission: text.to_owned(), test_case: text.to_owned(), cpu_time_ms: time, was_stopped: true };
    Event::TimeLimit(TimeLimitAdvice {
        cpu_time_limit_ms: 1000,
        is_stated: true,
        ac_to_time_limit: 2.0,
        time_limit_to_tle: 1.5,
        slowest: Some(measured.clone()),
        fastest: Some(measured),
        advice: vec![text.to_owned()],
        elapsed_ms: time,
    })
}

/// Returns a finding with this text in every field.
fn finding(text: &str, verdict: Verdict) -> Finding {
    let mut found = Finding::from_failure(FindingFailure::new(text, verdict));
    found.failure.message = text.to_owned();
    found.failure.hints = vec![text.to_owned()];
    found.failure.sanitizer = Some(SanitizerFinding {
        kind: text.to_owned(),
        message: text.to_owned(),
        place: Some((text.to_owned(), 1)),
        function: Some(text.to_owned()),
        source_line: Some(text.to_owned()),
    });
    found.origin.case = Some(1);
    (found.origin.shape, found.origin.test_case) = (Some(text.to_owned()), Some(text.to_owned()));
    found.run.input = text.as_bytes().to_vec();
    found.run.answer = b"1\n2\n".to_vec();
    found.run.output = text.as_bytes().to_vec();
    found.run.stderr = text.as_bytes().to_vec();
    found.run.checker = text.to_owned();
    found.proof.smaller_input = Some(text.to_owned());
    found.saved.replay = Some(text.to_owned());
    found.saved.folder = Some(text.into());
    found
}

/// Returns events with this text in every field that a page shows.
fn events_about(text: &str, time: u64) -> Vec<Event> {
    let named = |noun: &str| format!("{noun}/{text}");
    let submissions = vec![named("accepted"), named("wrong_answer")];
    let cases = vec![named("sample"), named("secret")];
    let mut events = vec![Event::Verifying(started(submissions.clone(), cases.clone()))];
    events.extend(submissions.iter().map(|name| judged(name, &cases[1], Verdict::WrongAnswer, time)));
    events.extend(submissions.iter().map(|name| assessed(name, text, false, time)));
    events.push(time_limit(text, time));
    events.push(Event::Counterexample(Box::new(finding(&submissions[1], Verdict::WrongAnswer))));
    events.extend(Verdict::ALL.map(|verdict| Event::Found(Box::new(finding(text, verdict)))));
    let mut exposed = ValidatorExposure::new(text, text, text);
    (exposed.failure, exposed.others) = (Some(text.to_owned()), vec![text.to_owned()]);
    events.push(Event::Exposed(ValidatorExposure { failure: None, ..exposed.clone() }));
    events.push(Event::Exposed(exposed));
    events.push(Event::Probed(ProbeSummary { inputs: 1, answers: 1, outputs: 1, exposed: 1, lenient: 0 }));
    events.push(Event::Flaw(BuildFlaw::new(0, text, BuildFlawKind::Invalid, text).with_note(text)));
    let goal = GoalReached { kind: "bound".to_owned(), of: text.to_owned(), what: text.to_owned(), inputs: 0 };
    let test = BuiltTest { name: text.to_owned(), shape: text.to_owned(), cases: 1, bytes: 2, kept: false };
    let changes = TestSetChanges { edited: vec![text.to_owned()], ..TestSetChanges::default() };
    events.push(Event::Built(BuildSummary {
        tests: vec![test],
        goals: vec![goal],
        changes,
        ..BuildSummary::default()
    }));
    events.push(Event::Warning(WarningEvent { message: text.to_owned(), help: Some(text.to_owned()) }));
    events
}

fn page_of(events: &[Event], shows_times: bool) -> String {
    let mut report = HtmlReport::default();
    if shows_times {
        report.show_times();
    }
    events.iter().for_each(|event| report.take_event(event));
    report.add_error(&Error::operating_error("failed").with_note("why"));
    report.to_html()
}

/// Returns the names of the elements and of their attributes, in order, without the marks of differences: how many there
/// are follows from the text.
fn structure(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = &page[page.find("</style>").unwrap()..];
    while let Some(start) = rest.find('<') {
        let tag = &rest[start + 1..];
        let end = tag.find('>').unwrap();
        let outside_values = tag[..end].split('"').step_by(2).collect::<Vec<_>>().join("\"");
        if !matches!(outside_values.trim_start_matches('/'), "ins" | "del") {
            found.push(outside_values);
        }
        rest = &tag[end..];
    }
    found
}

const HOSTILE: &str = "</code></pre></style></title></textarea><script>document.title='owned'</script>\
                       <img src=x onerror=alert(1)>\"'><a href=\"javascript:alert(1)\" style=x autofocus onfocus=alert(1)>\
                       ]]>--><!--&lt;\u{0}\u{1b}[31m\u{202e}\u{2066}\u{200b}\u{feff}\u{7f}\u{9b}\r\t`${x}`";

#[test]
fn hostile_text_adds_no_element_and_stays_visible() {
    let (harmless, hostile) = ("harmless", HOSTILE);
    let page = page_of(&events_about(hostile, 5), true);
    assert!(structure(&page) == structure(&page_of(&events_about(harmless, 5), true)), "{page}");
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("href=\"java"));
    assert!(page.chars().all(|c| c == '\n' || !c.is_control()), "a control character is left");
    let is_hidden =
        |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    assert!(!page.contains(is_hidden));
    assert!(page.contains("\\u{202e}") && page.contains("\u{2400}\u{241b}[31m"), "they are shown");
    for verdict in Verdict::ALL {
        let page = |text: &str| finding_page(&finding(text, verdict), Path::new(text), None);
        assert!(structure(&page(hostile)) == structure(&page(harmless)), "{}", page(hostile));
    }
}

#[test]
fn pages_have_times_only_if_they_are_asked_for() {
    let page = |time, shows_times| page_of(&events_about("a", time), shows_times);
    assert_eq!(page(5, false), page(500, false));
    assert_ne!(page(5, true), page(500, true));
    assert!(page(500, true).contains("0.50 times the limit"));
}

#[test]
fn large_matrix_is_below_half_a_megabyte() {
    let submissions: Vec<String> = (0..50).map(|i| format!("wrong_answer/some_longer_name_{i}.cpp")).collect();
    let cases: Vec<String> = (0..200).map(|i| format!("secret/group{}/{i:03}-random", i / 40)).collect();
    let mut events = vec![Event::Verifying(started(submissions.clone(), cases.clone()))];
    for (row, submission) in submissions.iter().enumerate() {
        for (column, case) in cases.iter().enumerate() {
            // No two neighbouring columns are equal.
            let verdict = if (row + column) % 3 == 0 { Verdict::WrongAnswer } else { Verdict::Accepted };
            events.push(judged(submission, case, verdict, (row * column) as u64 % 2000));
        }
        events.push(assessed(submission, "secret/group1/40: line 1, token 1: 5 / 4", false, 100));
        events.push(Event::Counterexample(Box::new(finding(submission, Verdict::WrongAnswer))));
    }
    events.push(time_limit("slow.cpp", 900));
    let size = page_of(&events, true).len();
    assert!(size < 500_000, "{size}");
}

#[test]
fn equal_neighbouring_columns_share_one() {
    let cases: Vec<String> = ["sample/1", "secret/1", "secret/2", "secret/3", "secret/4"].map(str::to_owned).into();
    let mut events = vec![Event::Verifying(started(vec!["accepted/a.cpp".to_owned()], cases.clone()))];
    let wrong = |case: &str| case == "secret/3";
    let verdict = |case: &str| if wrong(case) { Verdict::WrongAnswer } else { Verdict::Accepted };
    events.extend(cases.iter().map(|case| judged("accepted/a.cpp", case, verdict(case), 1)));
    let page = page_of(&events, false);
    assert_eq!(page.matches("class=\"case\"").count(), 4, "one, two, one and one");
    assert!(page.contains("secret/1 to secret/2: 2 test cases"));
    assert_eq!(page.matches("<col class=\"idle\">").count(), 3);
}
