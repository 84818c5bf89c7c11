//! Tests of whole pages.

mod sample_events;

use super::*;
use rebut_engine::event::{
    Event, FindingMinimization, FindingOrigin, Kill, ProgramKills, SubmissionAssessed, TestKills, TestSelection,
    TestSetStrength, WarningEvent,
};
use rebut_packages::verdict::{Expectation, Verdict, VerdictSet};
use sample_events::{
    HOSTILE, cell_judged, events_about, events_of_other_commands, finding_about, strength_about, submission_assessed,
    time_limit_advised, verification_started,
};
use std::path::Path;

fn page_of(events: &[Event], shows_times: bool) -> String {
    let mut report = HtmlReport::default();
    if shows_times {
        report.show_times();
    }
    events.iter().for_each(|event| report.take_event(event));
    report.add_error(&Error::operating_error("failed").with_note("why"));
    report.to_html()
}

/// Returns the names of the elements and of their attributes, in order, without the marks of differences and of code: how
/// many there are follows from the text.
fn structure(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = &page[page.find("</style>").unwrap()..];
    while let Some(start) = rest.find('<') {
        let tag = &rest[start + 1..];
        let end = tag.find('>').unwrap();
        let outside_values = tag[..end].split('"').step_by(2).collect::<Vec<_>>().join("\"");
        if !matches!(outside_values.trim_start_matches('/'), "ins" | "del" | "code") {
            found.push(outside_values);
        }
        rest = &tag[end..];
    }
    found
}

#[test]
fn hostile_text_adds_no_element_and_stays_visible() {
    let (harmless, hostile) = ("harmless", HOSTILE);
    let page_about = |text: &str| {
        let events = [events_about(text, 5), events_of_other_commands(text)].concat();
        page_of(&events, true)
    };
    let page = page_about(hostile);
    assert!(structure(&page) == structure(&page_about(harmless)), "{page}");
    assert!(!page.contains("<script") && !page.contains("<img src") && !page.contains("href=\"java"));
    assert!(page.chars().all(|c| c == '\n' || !c.is_control()), "a control character is left");
    let is_hidden =
        |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    assert!(!page.contains(is_hidden));
    assert!(page.contains("\\u{202e}") && page.contains("\u{2400}\u{241b}[31m"), "they are shown");
    for verdict in Verdict::ALL {
        let page = |text: &str| finding_page(&finding_about(text, verdict), Path::new(text), None);
        assert!(structure(&page(hostile)) == structure(&page(harmless)), "{}", page(hostile));
    }
}

#[test]
fn pages_have_times_only_if_they_are_asked_for() {
    let page = |time, shows_times| page_of(&events_about("a", time), shows_times);
    assert_eq!(page(5, false), page(500, false));
    assert_ne!(page(5, true), page(500, true));
    assert!(page(500, true).contains("(2.0x below)"));
}

#[test]
fn large_matrix_is_below_half_a_megabyte() {
    let submissions: Vec<String> = (0..50).map(|i| format!("wrong_answer/some_longer_name_{i}.cpp")).collect();
    let cases: Vec<String> = (0..200).map(|i| format!("secret/group{}/{i:03}-random", i / 40)).collect();
    let mut events = vec![Event::Verifying(verification_started(submissions.clone(), cases.clone()))];
    for (row, submission) in submissions.iter().enumerate() {
        for (column, case) in cases.iter().enumerate() {
            // No two neighbouring columns are equal.
            let verdict = if (row + column) % 3 == 0 { Verdict::WrongAnswer } else { Verdict::Accepted };
            events.push(cell_judged(submission, case, verdict, (row * column) as u64 % 2000));
        }
        events.push(submission_assessed(submission, "secret/group1/40: line 1, token 1: 5 / 4", false, 100));
        let mut found = finding_about(submission, Verdict::WrongAnswer);
        // A test case of a package was not searched for, and is not shrunk.
        let test_case = found.origin.test_case.take();
        found.origin = FindingOrigin { test_case, ..FindingOrigin::default() };
        found.minimization = FindingMinimization::of_size(1, "elements");
        (found.slowness, found.images) = (None, Vec::new());
        events.push(Event::Counterexample(Box::new(found)));
    }
    events.push(time_limit_advised("slow.cpp", 900));
    let kills = |submission: &String| ProgramKills {
        program: submission.clone(),
        killed_by: cases.iter().map(|case| Kill { test_case: case.clone(), verdict: Verdict::WrongAnswer }).collect(),
    };
    let tests = cases.iter().map(|case| TestKills { test_case: case.clone(), ..TestKills::default() }).collect();
    let redundant = cases[5..].to_vec();
    events.push(Event::Appraised(Box::new(TestSetStrength {
        submissions: submissions.iter().map(kills).collect(),
        tests,
        selection: TestSelection { depth: 5, tests: cases[..5].to_vec(), redundant, lower_bound: 5 },
        ..strength_about("a")
    })));
    let size = page_of(&events, true).len();
    assert!(size < 500_000, "{size}");
}

#[test]
fn equal_neighbouring_columns_share_one() {
    let cases: Vec<String> = ["sample/1", "secret/1", "secret/2", "secret/3", "secret/4"].map(str::to_owned).into();
    let mut events = vec![Event::Verifying(verification_started(vec!["accepted/a.cpp".to_owned()], cases.clone()))];
    let wrong = |case: &str| case == "secret/3";
    let verdict = |case: &str| if wrong(case) { Verdict::WrongAnswer } else { Verdict::Accepted };
    events.extend(cases.iter().map(|case| cell_judged("accepted/a.cpp", case, verdict(case), 1)));
    let page = page_of(&events, false);
    assert_eq!(page.matches("class=\"case").count(), 4, "one, two, one and one");
    assert!(page.contains("secret/1 to secret/2: 2 test cases"));
    assert_eq!(page.matches("<col class=\"idle\">").count(), 3);
}

#[test]
fn page_of_a_verification_says_how_strong_the_tests_are() {
    let cases: Vec<String> = ["secret/1", "secret/2"].map(str::to_owned).into();
    let mut events = vec![Event::Verifying(verification_started(vec!["wrong_answer/a.cpp".to_owned()], cases))];
    events.push(Event::Appraised(Box::new(strength_about("x"))));
    let page = page_of(&events, false);
    for part in ["Strength of the test set", "of 3 wrong programs die", "1 of 1 tests kills nothing", "3 survivors of"]
    {
        assert!(page.contains(part), "{part} in\n{page}");
    }
    assert!(page.contains("1 input that kill") && page.contains("rebut strength x --save"), "{page}");
    assert!(!page.contains("are shown here once"), "mutants are known");
    let unknown = TestSetStrength { mutation: Vec::new(), ..strength_about("x") };
    events.push(Event::Appraised(Box::new(unknown)));
    assert!(page_of(&events, false).contains("<code>rebut strength x</code>"));
}

#[test]
fn what_is_wrong_is_at_the_top() {
    let submissions: Vec<String> = ["accepted/a.cpp", "wrong_answer/b.cpp"].map(str::to_owned).into();
    let mut events = vec![Event::Verifying(verification_started(submissions, vec!["secret/1".to_owned()]))];
    events.push(submission_assessed("accepted/a.cpp", "wrong answer on `secret/1`", false, 5));
    let page = |events: &[Event]| {
        let mut report = HtmlReport::default();
        events.iter().for_each(|event| report.take_event(event));
        report.to_html()
    };
    let shown = page(&events);
    let top = &shown[..shown.find("<h3>").unwrap()];
    let link = "<a href=\"#p1-s1\"><code>accepted/a.cpp</code></a>: wrong answer on <code>secret/1</code>";
    assert!(top.contains(link) && !top.contains("rebut stress"), "{top}");
    if let Event::Assessed(survivor) = submission_assessed("wrong_answer/b.cpp", "all are accepted", false, 5) {
        let expected = Expectation::for_whole_set(VerdictSet::from_verdicts(&[Verdict::WrongAnswer]));
        let verdict = Verdict::Accepted;
        events.push(Event::Assessed(SubmissionAssessed { expected, verdict, ..survivor }));
    }
    let shown = page(&events);
    assert!(shown.contains("rebut stress wrong_answer/b.cpp --problem sum --save"), "{shown}");
}

#[test]
fn warnings_about_a_package_belong_to_its_section() {
    let mut report = HtmlReport::default();
    report.begin_build_section("sum");
    report.take_event(&Event::Warning(WarningEvent { message: "sum: a note".to_owned(), help: None }));
    report.take_event(&Event::Verifying(verification_started(vec!["a.cpp".to_owned()], vec!["1".to_owned()])));
    let page = report.to_html();
    assert!(page.contains("<h1>sum</h1>") && page.contains("<h2>Results</h2>"), "{page}");
}

#[test]
fn page_of_a_finding_has_the_path_of_shrinking() {
    let page = |path: Vec<(usize, usize)>| {
        let mut found = finding_about("a.cpp", Verdict::WrongAnswer);
        found.minimization.path = path;
        finding_page(&found, Path::new("findings/1"), None)
    };
    assert!(page(vec![(0, 9), (2, 5)]).contains("<figcaption>Path of shrinking</figcaption>"));
    assert!(!page(Vec::new()).contains("Path of shrinking"));
}
