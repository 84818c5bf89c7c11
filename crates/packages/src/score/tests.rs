//! Tables of folders, results and the expected scores.

use super::*;
use crate::verdict::Verdict::{self, Accepted as AC, RuntimeError as RTE, TimeLimit as TLE, WrongAnswer as WA};

fn feedback_score(score: &str, multiplier: &str) -> FeedbackScore {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    FeedbackScore { score: text(score), multiplier: text(multiplier) }
}

/// Formats the scores of a submission, the total followed by each group, or the message.
fn describe_score(scale: &Scoring, results: &[(Verdict, FeedbackScore)]) -> String {
    let names: Vec<String> = (1..=results.len()).map(|number| format!("c{number}")).collect();
    let results = results.iter().zip(&names).map(|((verdict, given), name)| CaseOutcome {
        name,
        verdict: *verdict,
        feedback: given,
    });
    let results: Vec<CaseOutcome<'_>> = results.collect();
    let mut custom = |flags: &[String], lines: &str| match flags {
        [flag] if flag == "refuse" => Ok("what?".to_owned()),
        _ => Ok(format!("AC {}\n", lines.lines().filter(|line| line.starts_with("AC ")).count() * 7)),
    };
    let mark = |mark: &GroupScore| match mark.score {
        Some(score) => format!("{} {score}", mark.verdict.code()),
        None => mark.verdict.code().to_owned(),
    };
    match scale.score_submission(&results, &mut custom) {
        Ok(marks) => {
            let groups = marks.groups.iter().map(|group| format!(", {} {}", group.group, mark(group)));
            format!("{}{}", mark(&marks.total), groups.collect::<String>())
        }
        Err(text) => text,
    }
}

/// The same without score files.
fn describe_plain_score(scale: &Scoring, verdicts: &[Verdict]) -> String {
    describe_score(scale, &verdicts.iter().map(|verdict| (*verdict, FeedbackScore::default())).collect::<Vec<_>>())
}

fn grader_group(name: &str, items: &[GraderItem], stops: bool, flags: &str, accept_score: f64) -> GraderGroup {
    GraderGroup {
        name: name.to_owned(),
        items: items.to_vec(),
        stops_on_reject: stops,
        is_custom: false,
        flags: flags.split_whitespace().map(str::to_owned).collect(),
        accept_score,
        reject_score: 0.0,
        range: (f64::NEG_INFINITY, f64::INFINITY),
    }
}

fn grader_scoring(groups: Vec<GraderGroup>) -> GraderScoring {
    GraderScoring { groups, has_custom_scores: false, is_minimised: false }
}

/// A sample and two subtasks of two test cases each, as in `oddecho` of problemtools.
fn subtask_scoring() -> Scoring {
    use GraderItem::{Case, Group};
    let mut groups = vec![
        grader_group("", &[Group(1), Group(2)], false, "ignore_sample", 1.0),
        grader_group("sample", &[Case(0)], false, "first_error", 0.0),
        grader_group("secret", &[Group(3), Group(4)], false, "first_error accept_if_any_accepted", 1.0),
        grader_group("secret/one", &[Case(1), Case(2)], true, "min", 30.0),
        grader_group("secret/two", &[Case(3), Case(4)], true, "min", 70.0),
    ];
    groups[0].range = (0.0, 100.0);
    groups[2].range = (0.0, 100.0);
    Scoring::Graders(grader_scoring(groups))
}

#[test]
fn graders_give_subtasks_their_points() {
    for (verdicts, expected) in [
        ([AC, AC, AC, AC, AC], "AC 100, secret/one AC 30, secret/two AC 70"),
        ([WA, AC, AC, AC, AC], "AC 100, secret/one AC 30, secret/two AC 70"),
        ([AC, AC, AC, AC, TLE], "AC 30, secret/one AC 30, secret/two TLE"),
        ([AC, WA, AC, AC, AC], "AC 70, secret/one WA, secret/two AC 70"),
        ([AC, AC, RTE, WA, TLE], "RTE, secret/one RTE, secret/two WA"),
    ] {
        assert_eq!(describe_plain_score(&subtask_scoring(), &verdicts), expected, "{verdicts:?}");
    }
    assert_eq!(subtask_scoring().best_score(), Some(100.0));
}

#[test]
fn default_grader_flags_decide_the_score() {
    let all = |stops, flags: &str| {
        let items: Vec<GraderItem> = (0..4).map(GraderItem::Case).collect();
        Scoring::Graders(grader_scoring(vec![grader_group("", &items, stops, flags, 10.0)]))
    };
    for (stops, flags, expected) in [
        (true, "", "WA"),
        (false, "", "RTE"),
        (false, "no_errors", "RTE"),
        (false, "first_error", "WA"),
        (false, "first_error worst_error", "RTE"),
        (false, "always_accept", "AC 20"),
        (true, "always_accept", "AC 10"),
        (false, "always_accept avg", "AC 5"),
        (false, "always_accept min", "AC 0"),
        (false, "always_accept min max", "AC 10"),
        (false, "accept_if_any_accepted", "AC 20"),
        (false, "ignore_sample", "`ignore_sample` is only allowed for `data`, with its two folders"),
    ] {
        assert_eq!(describe_plain_score(&all(stops, flags), &[AC, WA, RTE, AC]), expected, "{stops} {flags}");
    }
    let thirds: Vec<_> =
        ["0", "0", "1", ""].map(|text| (if text.is_empty() { WA } else { AC }, feedback_score(text, ""))).into();
    let Scoring::Graders(mut graded) = all(false, "avg always_accept") else { unreachable!("uses graders") };
    graded.has_custom_scores = true;
    assert_eq!(describe_score(&Scoring::Graders(graded.clone()), &thirds), "AC 0.25");
    graded.groups[0].items.pop();
    assert_eq!(describe_score(&Scoring::Graders(graded), &thirds), "AC 0.333333");
    assert!(["sum", "min", "ignore_sample", "worst_error"].iter().all(|flag| GraderScoring::is_known_flag(flag)));
    assert!(!GraderScoring::is_known_flag("summ"));
}

#[test]
fn custom_graders_are_run() {
    let mut group = grader_group("", &[GraderItem::Case(0), GraderItem::Case(1)], false, "", 1.0);
    group.is_custom = true;
    let scale = |group: &GraderGroup| Scoring::Graders(grader_scoring(vec![group.clone()]));
    assert_eq!(describe_plain_score(&scale(&group), &[AC, WA]), "AC 7");
    group.flags = vec!["refuse".to_owned()];
    let expected = "the grader of `data/` should print a verdict and a score, but printed `what?`";
    assert_eq!(describe_plain_score(&scale(&group), &[AC, WA]), expected);
}

#[test]
fn invalid_validator_scores_are_refused_with_graders() {
    let scale = |has_custom_scores, range| {
        let group = GraderGroup { range, ..grader_group("", &[GraderItem::Case(0)], true, "", 1.0) };
        Scoring::Graders(GraderScoring { has_custom_scores, ..grader_scoring(vec![group]) })
    };
    let any = (f64::NEG_INFINITY, f64::INFINITY);
    for (has, range, verdict, text, expected) in [
        (true, any, AC, " 2.5\n", "AC 2.5"),
        (true, any, AC, "-3", "AC -3"),
        (true, any, WA, "", "WA"),
        (true, any, AC, "", "`c1`: `validation` includes `score`, but no `score.txt` was written"),
        (false, any, AC, "2", "`c1`: `score.txt` was written, but `validation` does not include `score`"),
        (true, any, WA, "2", "`c1`: `score.txt` was written for a rejected test case"),
        (true, any, AC, "two", "`c1`: `score.txt` should contain a single number, not `two`"),
        (true, any, AC, "nan", "`c1`: `score.txt` should contain a single number, not `nan`"),
        (true, (0.0, 2.0), AC, "3", "`data/` gets 3 points, but its `range` is 0 to 2"),
        (true, (1.0, 2.0), WA, "", "WA"),
    ] {
        assert_eq!(
            describe_score(&scale(has, range), &[(verdict, feedback_score(text, ""))]),
            expected,
            "{has} {verdict:?} {text}"
        );
    }
}

fn aggregate_group(
    name: &str,
    cases: &[usize],
    aggregation: GroupAggregation,
    max_score: Option<f64>,
) -> AggregateGroup {
    let (cases, name) = (cases.to_vec(), name.to_owned());
    AggregateGroup { name, cases, aggregation, max_score, static_case: None, static_score: 0.0, requires: Vec::new() }
}

#[test]
fn groups_are_added_up_and_may_require_each_other() {
    use GroupAggregation::{Min, PassFail, Sum};
    let mut groups = vec![
        aggregate_group("secret/1", &[1, 2], PassFail, Some(20.0)),
        aggregate_group("secret/2", &[3, 4, 5], Sum, Some(30.0)),
        aggregate_group("secret/3", &[6], Min, Some(50.0)),
    ];
    groups[1].requires = vec!["sample".to_owned()];
    groups[2].requires = vec!["secret/1".to_owned()];
    let secret = aggregate_group("secret", &[], Sum, Some(100.0));
    let scale = Scoring::Aggregates(AggregateScoring { samples: vec![0], secret, groups });
    for (verdicts, expected) in [
        ([AC, AC, AC, AC, AC, AC, AC], "AC 100, secret/1 AC 20, secret/2 AC 30, secret/3 AC 50"),
        ([AC, AC, WA, AC, AC, AC, AC], "WA 30, secret/1 WA 0, secret/2 AC 30, secret/3 WA 0"),
        ([WA, AC, AC, AC, AC, AC, AC], "WA 70, secret/1 AC 20, secret/2 WA 0, secret/3 AC 50"),
        ([AC, AC, AC, AC, TLE, WA, RTE], "TLE 30, secret/1 AC 20, secret/2 TLE 10, secret/3 RTE 0"),
    ] {
        assert_eq!(describe_plain_score(&scale, &verdicts), expected, "{verdicts:?}");
    }
    let Scoring::Aggregates(mut variant) = scale else { unreachable!("uses aggregates") };
    variant.secret.aggregation = Min;
    let all = "AC 20, secret/1 AC 20, secret/2 AC 30, secret/3 AC 50";
    assert_eq!(describe_plain_score(&Scoring::Aggregates(variant.clone()), &[AC; 7]), all);
    variant.secret.aggregation = PassFail;
    variant.secret.max_score = Some(10.0);
    assert!(describe_plain_score(&Scoring::Aggregates(variant.clone()), &[AC; 7]).starts_with("AC 10, "));
    assert!(describe_plain_score(&Scoring::Aggregates(variant), &[AC, AC, AC, AC, AC, AC, WA]).starts_with("WA 0, "));
}

#[test]
fn invalid_validator_scores_are_refused_with_points() {
    use GroupAggregation::{Min, PassFail, Sum};
    let scale = |aggregation, max_score| {
        let secret = aggregate_group("secret", &[0, 1], aggregation, max_score);
        Scoring::Aggregates(AggregateScoring { samples: Vec::new(), secret, groups: Vec::new() })
    };
    let max_score = Some(10.0);
    for (aggregation, max_score, verdict, score, multiplier, expected) in [
        (Sum, max_score, AC, "", "", "AC 10"),
        (Sum, max_score, AC, "", "0.5", "AC 7.5"),
        (Sum, max_score, AC, "1.25", "", "AC 6.25"),
        (Sum, max_score, WA, "", "", "WA 5"),
        (Min, max_score, AC, "", "0.3", "AC 3"),
        (Min, max_score, AC, "12", "", "`c1`: `score.txt` gives 12 points, but at most 10 are possible"),
        (Sum, max_score, AC, "6", "", "`c1`: `score.txt` gives 6 points, but at most 5 are possible"),
        (Sum, max_score, AC, "-1", "", "`c1`: `score.txt` is less than 0"),
        (Sum, max_score, AC, "1", "1", "`c1`: both `score.txt` and `score_multiplier.txt` were written"),
        (Sum, max_score, AC, "", "1.5", "`c1`: `score_multiplier.txt` is not from 0 to 1"),
        (Sum, max_score, AC, "", "1 2", "`c1`: `score_multiplier.txt` should contain a single number, not `1 2`"),
        (Sum, max_score, WA, "", "0", "`c1`: points were given for a rejected test case"),
        (PassFail, max_score, AC, "", "", "AC 10"),
        (PassFail, max_score, AC, "1", "", "`c1`: points were given in a `pass-fail` group"),
        (Sum, None, AC, "", "0.5", "`c1`: `score_multiplier.txt` was written, but the score of the group is unbounded"),
        (Sum, None, AC, "", "", "`c1`: no `score.txt` was written, but the score of the group is unbounded"),
    ] {
        let second = (AC, if max_score.is_none() { feedback_score("4", "") } else { FeedbackScore::default() });
        let found =
            describe_score(&scale(aggregation, max_score), &[(verdict, feedback_score(score, multiplier)), second]);
        assert_eq!(found, expected, "{aggregation:?} {verdict:?} {score} {multiplier}");
    }
    let unbounded = scale(Sum, None);
    assert_eq!(
        describe_score(&unbounded, &[(AC, feedback_score("1e3", "")), (AC, feedback_score("4", ""))]),
        "AC 1004"
    );
    let Scoring::Aggregates(mut narrow) = scale(Sum, Some(5.0)) else { unreachable!("uses aggregates") };
    narrow.groups = vec![aggregate_group("secret/1", &[0], PassFail, Some(7.0))];
    narrow.secret.cases.clear();
    assert_eq!(
        describe_plain_score(&Scoring::Aggregates(narrow), &[AC, AC]),
        "`data/secret` gets 7 points, but its `max_score` is 5"
    );
}

#[test]
fn expected_scores_are_met_within_tolerance() {
    for (expected, score, is_met) in [
        (ExpectedScore::Within(30.0, 30.0), Some(30.0), true),
        (ExpectedScore::Within(33.333333, 33.333333), Some(100.0 / 3.0), true),
        (ExpectedScore::Within(30.0, 30.0), Some(29.0), false),
        (ExpectedScore::Within(10.0, 20.0), Some(20.0), true),
        (ExpectedScore::Within(10.0, 20.0), None, false),
        (ExpectedScore::Within(0.0, 0.0), None, true),
        (ExpectedScore::NotBest(100.0), Some(99.5), true),
        (ExpectedScore::NotBest(100.0), Some(100.0), false),
        (ExpectedScore::NotBest(100.0), None, false),
        (ExpectedScore::NotBest(100.0), Some(100.0 - 1e-12), false),
    ] {
        assert_eq!(expected.is_met(score), is_met, "{expected:?} {score:?}");
    }
    assert_eq!(ExpectedScore::Within(10.0, 20.0).to_string(), "10 to 20");
}
