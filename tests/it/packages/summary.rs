//! A package as a few lines of text, to be compared with the expectation of a test.

use rebut_packages::score::{AggregateGroup, AggregateScoring, GraderGroup, Scoring};
use rebut_packages::verdict::{Expectation, ExpectationScope};
use rebut_packages::{Package, PackageSubmission, SubmissionRule, TestCase, TimeBound, ValidatorProbe};
use std::fmt::Write as _;
use std::path::Path;

/// Returns the contents of a package except for its folder.
pub(crate) fn package(package: &Package) -> String {
    let mut text = String::new();
    let relative = |path: &Path| match path.strip_prefix(&package.folder).unwrap() {
        path if path == Path::new("") => ".".to_owned(),
        path => path.display().to_string(),
    };
    let all = |paths: &[std::path::PathBuf]| paths.iter().map(|p| relative(p)).collect::<Vec<_>>().join(" ");
    writeln!(text, "{:?} {:?}", package.dialect, package.titles).unwrap();
    let limits = &package.limits;
    let of_validator = (limits.validation_time_ms, limits.validation_memory_bytes, limits.validation_output_bytes);
    writeln!(
        text,
        "limits time {:?} memory {:?} output {:?} code {:?} validation {of_validator:?} passes {} factors {} {}",
        limits.cpu_time_ms,
        limits.memory_bytes,
        limits.output_bytes,
        limits.code_bytes,
        limits.validation_passes,
        limits.ac_to_time_limit,
        limits.time_limit_to_tle
    )
    .unwrap();
    let judging = package.problem_type;
    let kinds = [
        (judging.scoring, "scoring"),
        (judging.interactive, "interactive"),
        (judging.multi_pass, "multi-pass"),
        (judging.submit_answer, "submit-answer"),
    ];
    let kinds: Vec<&str> = kinds.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
    let validator = &package.output_validator;
    let program = validator.program.as_deref().map_or("default".to_owned(), relative);
    let custom = if validator.is_custom { "custom " } else { "" };
    writeln!(text, "judging {kinds:?} {custom}{program} {:?}", validator.arguments).unwrap();
    let kinds = [
        ("input validators", &package.input_validators),
        ("answer validators", &package.answer_validators),
        ("include", &package.include),
    ];
    for (what, paths) in kinds {
        if !paths.is_empty() {
            writeln!(text, "{what}: {}", all(paths)).unwrap();
        }
    }
    for case in &package.static_cases {
        let program = package.static_validator.as_deref().map_or("none".to_owned(), relative);
        writeln!(text, "static {} by {program} {:?}", case.test_case_name(), case.arguments).unwrap();
    }
    package.submissions.iter().for_each(|s| submission(&mut text, s));
    for group in &package.groups {
        let (name, score) = (&group.name, group.max_score);
        writeln!(text, "group `{name}` max {score:?} output validator {:?}", group.output_validator_arguments).unwrap();
    }
    package.scoring.iter().for_each(|scale| scoring(&mut text, scale));
    package.test_cases.iter().for_each(|case| test_case(&mut text, case));
    package.probes.iter().for_each(|probe| probe_line(&mut text, probe));
    package.notes.iter().for_each(|note| writeln!(text, "note {note}").unwrap());
    text
}

/// Appends the scoring, with a line for each group.
fn scoring(text: &mut String, scale: &Scoring) {
    match scale {
        Scoring::Graders(graded) => {
            let (custom, least) = (graded.has_custom_scores, graded.is_minimised);
            writeln!(text, "graded, custom scores {custom}, the least is best {least}").unwrap();
            for group in &graded.groups {
                let GraderGroup {
                    name,
                    items,
                    stops_on_reject: stops,
                    is_custom,
                    flags,
                    accept_score,
                    reject_score,
                    range,
                } = group;
                let items: Vec<String> = items.iter().map(|item| format!("{item:?}")).collect();
                let grader = if *is_custom { "custom" } else { "default" };
                let (items, flags, (from, to)) = (items.join(" "), flags.join(" "), range);
                let scores = format!("{accept_score} or {reject_score}, {from} to {to}");
                writeln!(text, "    `{name}` {grader} [{flags}] stops {stops}: {items}; {scores}").unwrap();
            }
        }
        Scoring::Aggregates(AggregateScoring { samples, secret, groups }) => {
            writeln!(text, "points, samples {samples:?}").unwrap();
            for group in [secret].into_iter().chain(groups) {
                let AggregateGroup {
                    name,
                    cases,
                    aggregation,
                    max_score: most,
                    static_case: _,
                    static_score: of_static,
                    requires,
                } = group;
                let word = aggregation.spelling();
                writeln!(text, "    `{name}` {word} most {most:?} static {of_static} requires {requires:?}: {cases:?}")
                    .unwrap();
            }
        }
    }
}

fn submission(text: &mut String, submission: &PackageSubmission) {
    write!(text, "submission {}: {}", submission.name, expectation(&submission.expectation)).unwrap();
    times(text, submission.time_bound);
    if let Some(wanted) = submission.expected_score {
        write!(text, " score {wanted}").unwrap();
    }
    for (name, value) in [("language", &submission.language), ("entry point", &submission.entry_point)] {
        value.iter().for_each(|value| write!(text, " {name} {value}").unwrap());
    }
    text.push('\n');
    submission.rules.iter().for_each(|r| rule(text, r));
}

fn rule(text: &mut String, rule: &SubmissionRule) {
    write!(text, "    on {}:", rule.pattern).unwrap();
    rule.expectation.iter().for_each(|e| write!(text, " {}", expectation(e)).unwrap());
    rule.expected_score.iter().for_each(|wanted| write!(text, " score {wanted}").unwrap());
    rule.message.iter().for_each(|message| write!(text, " says {message:?}").unwrap());
    times(text, rule.time_bound);
    text.push('\n');
}

fn times(text: &mut String, times: Option<TimeBound>) {
    times.iter().for_each(|bound| write!(text, " {bound:?} bound").unwrap());
}

fn expectation(expectation: &Expectation) -> String {
    let subject = if expectation.subject == ExpectationScope::Whole { "whole " } else { "" };
    format!("{subject}[{}] required [{}]", expectation.permitted, expectation.required)
}

fn test_case(text: &mut String, case: &TestCase) {
    let answer = if case.answer.is_some() { "" } else { " without answer" };
    let sample = if case.is_sample { " sample" } else { "" };
    let files = if case.files.is_some() { " with files" } else { "" };
    let (name, group) = (&case.name, case.group);
    write!(text, "case {name} in {group}{sample}{answer}{files} arguments {:?}", case.arguments).unwrap();
    let a = case.input_arguments.arguments_for(Path::new("input_validators/a.py"));
    writeln!(text, " input validator a {a:?} output validator {:?}", case.output_validator_arguments).unwrap();
}

fn probe_line(text: &mut String, probe: &ValidatorProbe) {
    let wanted = if probe.is_valid { "right" } else { "wrong" };
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let output = probe.output.as_ref().map(|(answer, output)| format!(" {} {}", name(answer), name(output)));
    writeln!(text, "probe {} {wanted}{} {:?}", probe.name, output.unwrap_or_default(), probe.arguments.common).unwrap();
}
