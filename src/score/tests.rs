//! Tables: what the folders are, what a submission got, and the points that follow.

use super::*;
use crate::verdict::Verdict::{self, Accepted as AC, RuntimeError as RTE, TimeLimit as TLE, WrongAnswer as WA};

fn given(score: &str, multiplier: &str) -> Given {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Given { score: text(score), multiplier: text(multiplier) }
}

/// The marks of a submission, a word for each group behind the total; or the message.
fn told(scale: &Scale, results: &[(Verdict, Given)]) -> String {
    let names: Vec<String> = (1..=results.len()).map(|number| format!("c{number}")).collect();
    let results = results.iter().zip(&names).map(|((verdict, given), name)| Outcome { name, verdict: *verdict, given });
    let results: Vec<Outcome<'_>> = results.collect();
    let mut custom = |flags: &[String], lines: &str| match flags {
        [flag] if flag == "refuse" => Ok("what?".to_owned()),
        _ => Ok(format!("AC {}\n", lines.lines().filter(|line| line.starts_with("AC ")).count() * 7)),
    };
    let mark = |mark: &Mark| match mark.score {
        Some(score) => format!("{} {score}", mark.verdict.code()),
        None => mark.verdict.code().to_owned(),
    };
    match scale.marks(&results, &mut custom) {
        Ok(marks) => {
            let groups = marks.groups.iter().map(|group| format!(", {} {}", group.group, mark(group)));
            format!("{}{}", mark(&marks.total), groups.collect::<String>())
        }
        Err(text) => text,
    }
}

/// The same for results of which no points were told.
fn plainly(scale: &Scale, verdicts: &[Verdict]) -> String {
    told(scale, &verdicts.iter().map(|verdict| (*verdict, Given::default())).collect::<Vec<_>>())
}

fn graded_group(name: &str, items: &[Item], stops: bool, flags: &str, accept_score: f64) -> GradedGroup {
    GradedGroup {
        name: name.to_owned(),
        items: items.to_vec(),
        stops,
        is_custom: false,
        flags: flags.split_whitespace().map(str::to_owned).collect(),
        accept_score,
        reject_score: 0.0,
        range: (f64::NEG_INFINITY, f64::INFINITY),
    }
}

fn graded(groups: Vec<GradedGroup>) -> Graded {
    Graded { groups, has_custom_scores: false, is_minimised: false }
}

/// A sample, and two subtasks of two test cases each, as `oddecho` of problemtools has them.
fn subtasks() -> Scale {
    use Item::{Case, Group};
    let mut groups = vec![
        graded_group("", &[Group(1), Group(2)], false, "ignore_sample", 1.0),
        graded_group("sample", &[Case(0)], false, "first_error", 0.0),
        graded_group("secret", &[Group(3), Group(4)], false, "first_error accept_if_any_accepted", 1.0),
        graded_group("secret/one", &[Case(1), Case(2)], true, "min", 30.0),
        graded_group("secret/two", &[Case(3), Case(4)], true, "min", 70.0),
    ];
    groups[0].range = (0.0, 100.0);
    groups[2].range = (0.0, 100.0);
    Scale::Graded(graded(groups))
}

#[test]
fn graders_give_subtasks_their_points() {
    for (verdicts, wanted) in [
        ([AC, AC, AC, AC, AC], "AC 100, secret/one AC 30, secret/two AC 70"),
        ([WA, AC, AC, AC, AC], "AC 100, secret/one AC 30, secret/two AC 70"),
        ([AC, AC, AC, AC, TLE], "AC 30, secret/one AC 30, secret/two TLE"),
        ([AC, WA, AC, AC, AC], "AC 70, secret/one WA, secret/two AC 70"),
        ([AC, AC, RTE, WA, TLE], "RTE, secret/one RTE, secret/two WA"),
    ] {
        assert_eq!(plainly(&subtasks(), &verdicts), wanted, "{verdicts:?}");
    }
    assert_eq!(subtasks().best(), Some(100.0));
}

#[test]
fn the_words_of_the_default_grader() {
    let all = |stops, flags: &str| {
        let items: Vec<Item> = (0..4).map(Item::Case).collect();
        Scale::Graded(graded(vec![graded_group("", &items, stops, flags, 10.0)]))
    };
    for (stops, flags, wanted) in [
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
        (false, "ignore_sample", "`ignore_sample` is for `data` alone, with its two folders"),
    ] {
        assert_eq!(plainly(&all(stops, flags), &[AC, WA, RTE, AC]), wanted, "{stops} {flags}");
    }
    let thirds: Vec<_> =
        ["0", "0", "1", ""].map(|text| (if text.is_empty() { WA } else { AC }, given(text, ""))).into();
    let Scale::Graded(mut graded) = all(false, "avg always_accept") else { unreachable!("it was graded") };
    graded.has_custom_scores = true;
    assert_eq!(told(&Scale::Graded(graded.clone()), &thirds), "AC 0.25");
    graded.groups[0].items.pop();
    assert_eq!(told(&Scale::Graded(graded), &thirds), "AC 0.333333");
    assert!(["sum", "min", "ignore_sample", "worst_error"].iter().all(|flag| Graded::knows_flag(flag)));
    assert!(!Graded::knows_flag("summ"));
}

#[test]
fn graders_of_the_jury_are_asked() {
    let mut group = graded_group("", &[Item::Case(0), Item::Case(1)], false, "", 1.0);
    group.is_custom = true;
    let scale = |group: &GradedGroup| Scale::Graded(graded(vec![group.clone()]));
    assert_eq!(plainly(&scale(&group), &[AC, WA]), "AC 7");
    group.flags = vec!["refuse".to_owned()];
    let wanted = "the grader of `data/` should print a verdict and a score, and prints `what?`";
    assert_eq!(plainly(&scale(&group), &[AC, WA]), wanted);
}

#[test]
fn scores_that_output_validators_may_not_give_to_graders() {
    let scale = |has_custom_scores, range| {
        let group = GradedGroup { range, ..graded_group("", &[Item::Case(0)], true, "", 1.0) };
        Scale::Graded(Graded { has_custom_scores, ..graded(vec![group]) })
    };
    let any = (f64::NEG_INFINITY, f64::INFINITY);
    for (has, range, verdict, text, wanted) in [
        (true, any, AC, " 2.5\n", "AC 2.5"),
        (true, any, AC, "-3", "AC -3"),
        (true, any, WA, "", "WA"),
        (true, any, AC, "", "`c1`: `validation` says `score`, and no `score.txt` was written"),
        (false, any, AC, "2", "`c1`: `score.txt` was written, and `validation` does not say `score`"),
        (true, any, WA, "2", "`c1`: `score.txt` was written about what is not accepted"),
        (true, any, AC, "two", "`c1`: `score.txt` should hold one number, and holds `two`"),
        (true, any, AC, "nan", "`c1`: `score.txt` should hold one number, and holds `nan`"),
        (true, (0.0, 2.0), AC, "3", "`data/` gets 3 points, and its `range` is 0 to 2"),
        (true, (1.0, 2.0), WA, "", "WA"),
    ] {
        assert_eq!(told(&scale(has, range), &[(verdict, given(text, ""))]), wanted, "{has} {verdict:?} {text}");
    }
}

fn pointed_group(name: &str, cases: &[usize], aggregation: Aggregation, most: Option<f64>) -> PointedGroup {
    let (cases, name) = (cases.to_vec(), name.to_owned());
    PointedGroup { name, cases, aggregation, most, static_case: None, of_static: 0.0, requires: Vec::new() }
}

#[test]
fn groups_are_added_up_and_may_require_each_other() {
    use Aggregation::{Min, PassFail, Sum};
    let mut groups = vec![
        pointed_group("secret/1", &[1, 2], PassFail, Some(20.0)),
        pointed_group("secret/2", &[3, 4, 5], Sum, Some(30.0)),
        pointed_group("secret/3", &[6], Min, Some(50.0)),
    ];
    groups[1].requires = vec!["sample".to_owned()];
    groups[2].requires = vec!["secret/1".to_owned()];
    let secret = pointed_group("secret", &[], Sum, Some(100.0));
    let scale = Scale::Pointed(Pointed { samples: vec![0], secret, groups });
    for (verdicts, wanted) in [
        ([AC, AC, AC, AC, AC, AC, AC], "AC 100, secret/1 AC 20, secret/2 AC 30, secret/3 AC 50"),
        ([AC, AC, WA, AC, AC, AC, AC], "WA 30, secret/1 WA 0, secret/2 AC 30, secret/3 WA 0"),
        ([WA, AC, AC, AC, AC, AC, AC], "WA 70, secret/1 AC 20, secret/2 WA 0, secret/3 AC 50"),
        ([AC, AC, AC, AC, TLE, WA, RTE], "TLE 30, secret/1 AC 20, secret/2 TLE 10, secret/3 RTE 0"),
    ] {
        assert_eq!(plainly(&scale, &verdicts), wanted, "{verdicts:?}");
    }
    let Scale::Pointed(mut least) = scale else { unreachable!("it was pointed") };
    least.secret.aggregation = Min;
    let all = "AC 20, secret/1 AC 20, secret/2 AC 30, secret/3 AC 50";
    assert_eq!(plainly(&Scale::Pointed(least.clone()), &[AC; 7]), all);
    least.secret.aggregation = PassFail;
    least.secret.most = Some(10.0);
    assert!(plainly(&Scale::Pointed(least.clone()), &[AC; 7]).starts_with("AC 10, "));
    assert!(plainly(&Scale::Pointed(least), &[AC, AC, AC, AC, AC, AC, WA]).starts_with("WA 0, "));
}

#[test]
fn points_that_output_validators_may_and_may_not_give() {
    use Aggregation::{Min, PassFail, Sum};
    let scale = |aggregation, most| {
        let secret = pointed_group("secret", &[0, 1], aggregation, most);
        Scale::Pointed(Pointed { samples: Vec::new(), secret, groups: Vec::new() })
    };
    let most = Some(10.0);
    for (aggregation, most, verdict, score, multiplier, wanted) in [
        (Sum, most, AC, "", "", "AC 10"),
        (Sum, most, AC, "", "0.5", "AC 7.5"),
        (Sum, most, AC, "1.25", "", "AC 6.25"),
        (Sum, most, WA, "", "", "WA 5"),
        (Min, most, AC, "", "0.3", "AC 3"),
        (Min, most, AC, "12", "", "`c1`: `score.txt` gives 12 points, and there are 10 at most"),
        (Sum, most, AC, "6", "", "`c1`: `score.txt` gives 6 points, and there are 5 at most"),
        (Sum, most, AC, "-1", "", "`c1`: `score.txt` is less than 0"),
        (Sum, most, AC, "1", "1", "`c1`: both `score.txt` and `score_multiplier.txt` were written"),
        (Sum, most, AC, "", "1.5", "`c1`: `score_multiplier.txt` is not from 0 to 1"),
        (Sum, most, AC, "", "1 2", "`c1`: `score_multiplier.txt` should hold one number, and holds `1 2`"),
        (Sum, most, WA, "", "0", "`c1`: points were given for what is not accepted"),
        (PassFail, most, AC, "", "", "AC 10"),
        (PassFail, most, AC, "1", "", "`c1`: points were given in a group that is `pass-fail`"),
        (Sum, None, AC, "", "0.5", "`c1`: `score_multiplier.txt` was written, and points have no bound"),
        (Sum, None, AC, "", "", "`c1`: points have no bound, and no `score.txt` was written"),
    ] {
        let second = (AC, if most.is_none() { given("4", "") } else { Given::default() });
        let found = told(&scale(aggregation, most), &[(verdict, given(score, multiplier)), second]);
        assert_eq!(found, wanted, "{aggregation:?} {verdict:?} {score} {multiplier}");
    }
    let unbounded = scale(Sum, None);
    assert_eq!(told(&unbounded, &[(AC, given("1e3", "")), (AC, given("4", ""))]), "AC 1004");
    let Scale::Pointed(mut narrow) = scale(Sum, Some(5.0)) else { unreachable!("it was pointed") };
    narrow.groups = vec![pointed_group("secret/1", &[0], PassFail, Some(7.0))];
    narrow.secret.cases.clear();
    assert_eq!(plainly(&Scale::Pointed(narrow), &[AC, AC]), "`data/secret` gets 7 points, and 5 is its `max_score`");
}

#[test]
fn which_scores_are_as_expected() {
    for (wanted, score, is_met) in [
        (Wanted::Within(30.0, 30.0), Some(30.0), true),
        (Wanted::Within(33.333333, 33.333333), Some(100.0 / 3.0), true),
        (Wanted::Within(30.0, 30.0), Some(29.0), false),
        (Wanted::Within(10.0, 20.0), Some(20.0), true),
        (Wanted::Within(10.0, 20.0), None, false),
        (Wanted::Within(0.0, 0.0), None, true),
        (Wanted::NotBest(100.0), Some(99.5), true),
        (Wanted::NotBest(100.0), Some(100.0), false),
        (Wanted::NotBest(100.0), None, false),
        (Wanted::NotBest(100.0), Some(100.0 - 1e-12), false),
    ] {
        assert_eq!(wanted.is_met(score), is_met, "{wanted:?} {score:?}");
    }
    assert_eq!(Wanted::Within(10.0, 20.0).to_string(), "10 to 20");
}
