//! Tests of whole pages.

use super::*;
use rebut_engine::event::{
    AnswerCount, BuildFlaw, BuildFlawKind, BuildSummary, BuiltTest, CampaignSummary, CellJudged, Finding,
    FindingFailure, GoalReached, GrowthMeasured, GrowthReport, GrowthSample, Kill, MeasuredTime, MutantOutcome,
    ProbeSummary, ProgramKills, ReportComparison, ResultChange, SanitizerFinding, SearchStarted, SlowCause,
    SlowCauseKind, StrengthScore, SubmissionAssessed, SubmissionFailed, SubmissionMutants, Survival, TestKills,
    TestSelection, TestSetStrength, TimeChange, TimeLimitAdvice, ValidatorExposure, VerdictChange, VerificationStarted,
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
    found.minimization.path = vec![(0, 9), (2, 5), (3, 1)];
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
    events.push(Event::Appraised(Box::new(strength(text))));
    events
}

/// Returns a strength with this text in every field.
fn strength(text: &str) -> TestSetStrength {
    let named = || text.to_owned();
    let kill = Kill { test_case: named(), verdict: Verdict::WrongAnswer };
    let killed = ProgramKills { program: named(), killed_by: vec![kill.clone()] };
    let mutant = |survival| MutantOutcome {
        operator: named(),
        line: 1,
        column: 1,
        end_line: 1,
        end_column: 2,
        original: named(),
        replacement: named(),
        is_rejected: false,
        killed_by: None,
        survival,
    };
    let survivals = [
        None,
        Some(Survival::Undefined { test_case: named(), message: named() }),
        Some(Survival::Killable { input: named(), verdict: Verdict::WrongAnswer }),
    ];
    let mut mutants: Vec<MutantOutcome> = survivals.map(mutant).into();
    mutants.push(MutantOutcome { killed_by: Some(kill), ..mutant(None) });
    TestSetStrength {
        problem: named(),
        folder: text.into(),
        submissions: vec![killed.clone(), ProgramKills { program: named(), killed_by: Vec::new() }],
        trivial: vec![killed],
        mutation: vec![SubmissionMutants { submission: named(), source: named(), mutants, ..Default::default() }],
        tests: vec![TestKills { test_case: named(), kills: 0, kills_alone: 0 }],
        different_answers: 2,
        entropy_bits: 0.5,
        most_common: vec![AnswerCount { answer: named(), inputs: 2 }],
        goals: vec![GoalReached { kind: "bound".to_owned(), of: named(), what: named(), inputs: 0 }],
        selection: TestSelection { depth: 5, tests: vec![named()], redundant: vec![named()], lower_bound: 1 },
        score: StrengthScore { killed: 2, programs: 3, mutants_killed: 1, mutants: 4, ..Default::default() },
    }
}

/// Returns the events of the other commands, with this text in every field that a page shows.
fn events_of_other_commands(text: &str) -> Vec<Event> {
    let named = || text.to_owned();
    let failed = |case| SubmissionFailed {
        submission: named(),
        verdict: Verdict::WrongAnswer,
        case,
        shape: named(),
        elapsed_ms: 1,
    };
    let sample = |size| GrowthSample { size, work: size * size, hottest: size, cpu_time_us: size };
    let measured = GrowthMeasured {
        submission: named(),
        axis: named(),
        shape: named(),
        unit: "branches",
        law: Some(named()),
        error: 0.1,
        exponents: (1.9, 2.1),
        samples: [10, 100, 1000].map(sample).into(),
        max_size: 10_000,
        predicted_work: 1e8,
        predicted_ms: 2e3,
        is_measured: false,
        time_limit_ms: 1000,
    };
    let cause = SlowCause {
        submission: named(),
        accepted: named(),
        kind: SlowCauseKind::Growth,
        axis: named(),
        law: Some(named()),
        accepted_law: Some(named()),
        max_size: 9,
        times_accepted: 3.0,
    };
    vec![
        Event::Started(SearchStarted {
            submissions: vec![named()],
            reference: named(),
            inputs: named(),
            checker: named(),
            jobs: 1,
            engine: named(),
            seed: 1,
            time_budget_ms: None,
            case_budget: Some(9),
        }),
        Event::Failed(failed(1)),
        Event::Failed(failed(7)),
        Event::Summary(CampaignSummary {
            survivors: vec![named()],
            result_reason: Some(named()),
            ..CampaignSummary::default()
        }),
        Event::Growth(GrowthReport { submission: named(), rows: vec![measured] }),
        Event::SlowCause(cause),
        Event::Strength(Box::new(strength(text))),
        comparison(text),
    ]
}

/// Returns a comparison of reports with this text in every field.
fn comparison(text: &str) -> Event {
    let named = || text.to_owned();
    let verdict = VerdictChange { submission: named(), test_case: named(), before: named(), after: named() };
    Event::Compared(ReportComparison {
        problem: named(),
        before: named(),
        after: named(),
        submissions_added: vec![named()],
        submissions_gone: vec![named()],
        test_cases_added: vec![named()],
        test_cases_gone: vec![named()],
        results: vec![ResultChange { submission: named(), before: (named(), true), after: (named(), false) }],
        verdicts: vec![verdict],
        times: vec![TimeChange { submission: named(), test_case: named(), before_ms: 1, after_ms: 900 }],
    })
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
    let page_about = |text: &str| {
        let events = [events_about(text, 5), events_of_other_commands(text)].concat();
        page_of(&events, true)
    };
    let page = page_about(hostile);
    assert!(structure(&page) == structure(&page_about(harmless)), "{page}");
    assert_eq!(page.matches("<script").count(), 1, "the one for sorting");
    assert!(!page.contains("<img") && !page.contains("href=\"java"));
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
        let mut found = finding(submission, Verdict::WrongAnswer);
        // A test case of a package is not shrunk.
        found.minimization.path.clear();
        events.push(Event::Counterexample(Box::new(found)));
    }
    events.push(time_limit("slow.cpp", 900));
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
        ..strength("a")
    })));
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

#[test]
fn page_of_a_verification_says_how_strong_the_tests_are() {
    let cases: Vec<String> = ["secret/1", "secret/2"].map(str::to_owned).into();
    let mut events = vec![Event::Verifying(started(vec!["wrong_answer/a.cpp".to_owned()], cases))];
    events.push(Event::Appraised(Box::new(strength("x"))));
    let page = page_of(&events, false);
    for part in
        ["Strength of the test set", "2 of 3 wrong programs killed", "Tests that kill nothing: 1", "3 survivors of"]
    {
        assert!(page.contains(part), "{part} in\n{page}");
    }
    assert!(!page.contains("rebut strength"), "mutants are known");
    let unknown = TestSetStrength { mutation: Vec::new(), ..strength("x") };
    events.push(Event::Appraised(Box::new(unknown)));
    assert!(page_of(&events, false).contains("<code>rebut strength x</code>"));
}

#[test]
fn warnings_about_a_package_belong_to_its_section() {
    let mut report = HtmlReport::default();
    report.begin_build_section("sum");
    report.take_event(&Event::Warning(WarningEvent { message: "sum: a note".to_owned(), help: None }));
    report.take_event(&Event::Verifying(started(vec!["a.cpp".to_owned()], vec!["1".to_owned()])));
    let page = report.to_html();
    assert!(page.contains("<h1>sum</h1>") && page.contains("<h2>Results</h2>"), "{page}");
}

#[test]
fn page_of_a_finding_has_the_path_of_shrinking() {
    let page = |path: Vec<(usize, usize)>| {
        let mut found = finding("a.cpp", Verdict::WrongAnswer);
        found.minimization.path = path;
        finding_page(&found, Path::new("findings/1"), None)
    };
    assert!(page(vec![(0, 9), (2, 5)]).contains("<figcaption>Path of shrinking</figcaption>"));
    assert!(!page(Vec::new()).contains("Path of shrinking"));
}
