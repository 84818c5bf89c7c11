//! Events with a given text in every field that a page shows, for tests of whole pages.

use rebut_engine::event::{
    AnswerCount, BuildFlaw, BuildFlawKind, BuildSummary, BuiltTest, CellJudged, CommandSummary, CountedWork, Event,
    Finding, FindingChoices, FindingFailure, FindingImage, FindingSlowness, FittedWork, GoalReached, GrowthMeasured,
    GrowthReport, GrowthSample, Kill, MeasuredTime, MutantOutcome, ProbeSummary, ProgramKills, ReportComparison,
    ResultChange, SanitizerFinding, SearchStarted, ShrinkPassSummary, SlowCause, SlowCauseKind, SlowWork,
    SmallOutputSummary, StrengthScore, SubmissionAssessed, SubmissionFailed, SubmissionMutants, Survival, TestKills,
    TestSelection, TestSetStrength, TimeChange, TimeLimitAdvice, ValidatorExposure, VerdictChange, VerificationStarted,
    WarningEvent, WorkMargins,
};
use rebut_packages::TestSetChanges;
use rebut_packages::score::{GroupScore, SubmissionScore};
use rebut_packages::verdict::{Expectation, Verdict};

/// Text that tries to leave its element, to run a script, and to change what is read.
pub(super) const HOSTILE: &str = "</code></pre></style></title></textarea><script>document.title='owned'</script>\
                       <img src=x onerror=alert(1)>\"'><a href=\"javascript:alert(1)\" style=x autofocus onfocus=alert(1)>\
                       ]]>--><!--&lt;\u{0}\u{1b}[31m\u{202e}\u{2066}\u{200b}\u{feff}\u{7f}\u{9b}\r\t`${x}`";

pub(super) fn verification_started(submissions: Vec<String>, test_cases: Vec<String>) -> VerificationStarted {
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

pub(super) fn cell_judged(submission: &str, test_case: &str, verdict: Verdict, time: u64) -> Event {
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

pub(super) fn submission_assessed(submission: &str, text: &str, met: bool, time: u64) -> Event {
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
        has_expectation: true,
        is_close: true,
        compiler: Some(text.to_owned()),
        cpu_time_limit_ms: 1000,
    })
}

pub(super) fn time_limit_advised(text: &str, time: u64) -> Event {
    let measured =
        MeasuredTime { submission: text.to_owned(), test_case: text.to_owned(), cpu_time_ms: time, was_stopped: true };
    Event::TimeLimit(TimeLimitAdvice {
        cpu_time_limit_ms: 1000,
        is_stated: true,
        ac_to_time_limit: 2.0,
        time_limit_to_tle: 1.5,
        slowest: Some(measured.clone()),
        fastest: Some(measured),
        languages: Vec::new(),
        advice: vec![text.to_owned()],
        elapsed_ms: time,
    })
}

/// Returns a picture in which this text stands as it is, as a visualizer might write it.
pub(super) fn picture_with(text: &str) -> Vec<u8> {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"><script>alert(2)</script>{text}</svg>")
        .into_bytes()
}

/// Returns a finding with this text in every field.
pub(super) fn finding_about(text: &str, verdict: Verdict) -> Finding {
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
    found.origin.choices =
        Some(FindingChoices { generator: text.to_owned(), prints_input: false, request: text.to_owned() });
    found.origin.original = format!("{text}\n{text}\n").into_bytes();
    found.slowness = Some(FindingSlowness {
        axis: text.to_owned(),
        size: 9,
        smallest_size: Some(5),
        law: Some(text.to_owned()),
        ordinary_law: Some(text.to_owned()),
        compared_size: 9,
        times_ordinary: 3.0,
        times_reference: Some(2.0),
        recipe: text.to_owned(),
    });
    found.images =
        ["Input", text].iter().filter_map(|title| FindingImage::from_bytes(title, picture_with(text))).collect();
    found.run.input = text.as_bytes().to_vec();
    found.run.answer = b"1\n2\n".to_vec();
    found.run.output = text.as_bytes().to_vec();
    found.run.stderr = text.as_bytes().to_vec();
    found.run.checker = text.to_owned();
    found.proof.smaller_input = Some(text.to_owned());
    found.minimization.path = vec![(0, 9), (2, 5), (3, 1)];
    let pass = ShrinkPassSummary { name: text.to_owned(), calls: 1, tried: 1, accepted: 1, time_ms: 1 };
    found.minimization.passes = vec![pass];
    found.saved.replay = Some(text.to_owned());
    found.saved.shrink = Some(text.to_owned());
    found.saved.folder = Some(text.into());
    found
}

/// Returns events with this text in every field that a page shows.
pub(super) fn events_about(text: &str, time: u64) -> Vec<Event> {
    let named = |noun: &str| format!("{noun}/{text}");
    let submissions = vec![named("accepted"), named("wrong_answer")];
    let cases = vec![named("sample"), named("secret")];
    let mut events = vec![Event::Verifying(verification_started(submissions.clone(), cases.clone()))];
    events.extend(submissions.iter().map(|name| cell_judged(name, &cases[1], Verdict::WrongAnswer, time)));
    events.extend(submissions.iter().map(|name| submission_assessed(name, text, false, time)));
    events.push(time_limit_advised(text, time));
    events.push(Event::Counterexample(Box::new(finding_about(&submissions[1], Verdict::WrongAnswer))));
    events.extend(Verdict::ALL.map(|verdict| Event::Found(Box::new(finding_about(text, verdict)))));
    let mut exposed = ValidatorExposure::new(text, text, text);
    (exposed.failure, exposed.others) = (Some(text.to_owned()), vec![text.to_owned()]);
    events.push(Event::Exposed(ValidatorExposure { failure: None, ..exposed.clone() }));
    events.push(Event::Exposed(exposed));
    events.push(Event::Probed(ProbeSummary {
        inputs: 1,
        answers: 1,
        outputs: 1,
        small_outputs: SmallOutputSummary::default(),
        exposed: 1,
        lenient: 0,
    }));
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
    events.push(Event::Appraised(Box::new(strength_about(text))));
    events
}

/// Returns a strength with this text in every field.
pub(super) fn strength_about(text: &str) -> TestSetStrength {
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
        Some(Survival::Killable { input: named(), answer: named(), verdict: Verdict::WrongAnswer }),
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
        pictures: FindingImage::from_bytes("Input", picture_with(text))
            .map(|image| (named(), image))
            .into_iter()
            .collect(),
    }
}

/// Returns the events of the other commands, with this text in every field that a page shows.
pub(super) fn events_of_other_commands(text: &str) -> Vec<Event> {
    let named = || text.to_owned();
    let failed = |case| SubmissionFailed {
        submission: named(),
        is_expression: false,
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
        fitted: [10, 10_000].map(|size| FittedWork { size, work: (size * size) as f64 }).into(),
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
            initial_growth: 0,
        }),
        Event::Failed(failed(1)),
        Event::Failed(failed(7)),
        Event::Summary(CommandSummary {
            survivors: vec![named()],
            result_reason: Some(named()),
            ..CommandSummary::default()
        }),
        Event::Growth(GrowthReport { submission: named(), rows: vec![measured] }),
        Event::SlowCause(cause),
        Event::WorkMargins(margins_about(text)),
        Event::Strength(Box::new(strength_about(text))),
        comparison_about(text),
    ]
}

/// Returns margins with this text in every field.
fn margins_about(text: &str) -> WorkMargins {
    let named = || text.to_owned();
    let run = || CountedWork { submission: named(), test_case: named(), work: 9, was_stopped: false };
    WorkMargins {
        costliest: run(),
        slow: vec![SlowWork { run: run(), times_accepted: 9.0 }],
        cpu_time_limit_ms: 1000,
        us_per_million: None,
        limit_to_costliest: None,
        least_slow_to_limit: None,
        limits_ms: None,
        uncounted: vec![named()],
    }
}

/// Returns a comparison of reports with this text in every field.
pub(super) fn comparison_about(text: &str) -> Event {
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
