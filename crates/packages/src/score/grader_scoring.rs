//! Scoring of the legacy format: a grader computes the result of each folder from the results inside it.

use super::{CaseOutcome, GroupScore, SubmissionScore, round_score};
use crate::verdict::Verdict;
use std::fmt::Write as _;

/// Runs a custom grader with its arguments and the results as input, one per line. Returns its output.
pub type CustomGrader<'a> = dyn FnMut(&[String], &str) -> Result<String, String> + 'a;

/// All folders with their graders.
#[derive(Clone, Debug, PartialEq)]
pub struct GraderScoring {
    /// Folders, parents before children. The first is `data` itself.
    pub groups: Vec<GraderGroup>,
    /// Whether the output validator gives a score to each accepted test case.
    pub has_custom_scores: bool,
    /// Whether a lower score is better.
    pub is_minimised: bool,
}

/// A folder and its grader.
#[derive(Clone, Debug, PartialEq)]
pub struct GraderGroup {
    /// Path below `data/`; empty for `data` itself.
    pub name: String,
    /// Contents in judging order.
    pub items: Vec<GraderItem>,
    /// Whether judging stops at the first item that is not accepted.
    pub stops_on_reject: bool,
    /// Whether a custom grader is used.
    pub is_custom: bool,
    /// Arguments of the grader.
    pub flags: Vec<String>,
    /// Score of an accepted test case.
    pub accept_score: f64,
    /// Score of a rejected test case.
    pub reject_score: f64,
    /// Allowed range of the folder's score.
    pub range: (f64, f64),
}

/// An item of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraderItem {
    /// The test case with this index.
    Case(usize),
    /// The folder with this index.
    Group(usize),
}

/// How the verdict of a folder is computed from those inside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VerdictAggregation {
    /// The worst verdict.
    #[default]
    Worst,
    /// The first verdict that is not accepted.
    FirstError,
    /// Always accepted.
    AlwaysAccept,
}

/// How the score of a folder is computed from those inside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScoreAggregation {
    /// The sum.
    #[default]
    Sum,
    /// The average.
    Average,
    /// The minimum.
    Min,
    /// The maximum.
    Max,
}

/// Parsed flags of the default grader. Of conflicting flags, the last one counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct GraderFlags {
    verdict_aggregation: VerdictAggregation,
    score_aggregation: ScoreAggregation,
    ignores_sample: bool,
    accepts_if_any: bool,
}

/// Verdicts from worst to best.
const VERDICTS_WORST_FIRST: [Verdict; 8] = [
    Verdict::JudgeError,
    Verdict::RuntimeError,
    Verdict::MemoryLimit,
    Verdict::TimeLimit,
    Verdict::OutputLimit,
    Verdict::WrongAnswer,
    Verdict::PresentationError,
    Verdict::Accepted,
];

impl GraderFlags {
    fn from_flags(flags: &[String]) -> GraderFlags {
        let mut parsed = GraderFlags::default();
        for flag in flags {
            match flag.as_str() {
                "worst_error" | "no_errors" => parsed.verdict_aggregation = VerdictAggregation::Worst,
                "first_error" => parsed.verdict_aggregation = VerdictAggregation::FirstError,
                "always_accept" => parsed.verdict_aggregation = VerdictAggregation::AlwaysAccept,
                "sum" => parsed.score_aggregation = ScoreAggregation::Sum,
                "avg" => parsed.score_aggregation = ScoreAggregation::Average,
                "min" => parsed.score_aggregation = ScoreAggregation::Min,
                "max" => parsed.score_aggregation = ScoreAggregation::Max,
                "ignore_sample" => parsed.ignores_sample = true,
                "accept_if_any_accepted" => parsed.accepts_if_any = true,
                _ => {}
            }
        }
        parsed
    }
}

impl GraderGroup {
    /// Returns how the default grader computes the score.
    pub fn score_aggregation(&self) -> ScoreAggregation {
        GraderFlags::from_flags(&self.flags).score_aggregation
    }

    /// Returns true if the group can be accepted although something inside it is not.
    pub fn accepts_partial_failure(&self) -> bool {
        let flags = GraderFlags::from_flags(&self.flags);
        flags.verdict_aggregation == VerdictAggregation::AlwaysAccept || flags.accepts_if_any
    }

    /// Returns true if samples are ignored.
    pub fn ignores_sample(&self) -> bool {
        GraderFlags::from_flags(&self.flags).ignores_sample
    }
}

impl GraderScoring {
    /// Returns true if the default grader knows this flag.
    pub fn is_known_flag(flag: &str) -> bool {
        const DEFAULT_FLAGS: [&str; 3] = ["worst_error", "no_errors", "sum"];
        DEFAULT_FLAGS.contains(&flag) || GraderFlags::from_flags(&[flag.to_owned()]) != GraderFlags::default()
    }

    /// Returns the secret test cases next to groups that do not affect the score, because every verdict gives the same.
    pub(super) fn cases_without_points(&self) -> Vec<usize> {
        let is_secret = |group: &&GraderGroup| group.name == "secret" || group.name.starts_with("secret/");
        let has_groups = |group: &&GraderGroup| group.items.iter().any(|item| matches!(item, GraderItem::Group(_)));
        let is_constant = |group: &&GraderGroup| {
            !group.is_custom && group.accepts_partial_failure() && group.accept_score == group.reject_score
        };
        let groups = self.groups.iter().filter(is_secret).filter(has_groups).filter(is_constant);
        let items = groups.filter(|_| !self.has_custom_scores).flat_map(|group| &group.items);
        items.filter_map(|item| if let GraderItem::Case(case) = item { Some(*case) } else { None }).collect()
    }

    /// Returns the best score of the problem, if it is finite.
    pub(super) fn best_score(&self) -> Option<f64> {
        let best_of =
            |name: &str| self.groups.iter().find(|group| group.name == name).and_then(|g| self.best_group_score(g));
        best_of("").or_else(|| best_of("secret"))
    }

    fn best_group_score(&self, group: &GraderGroup) -> Option<f64> {
        let (min, max) = group.range;
        Some(if self.is_minimised { min } else { max }).filter(|best| best.is_finite())
    }

    /// Computes the score of a submission, in total and of each group.
    ///
    /// # Errors
    ///
    /// Returns a message if a validator or grader failed.
    pub(super) fn score_groups(
        &self,
        results: &[CaseOutcome<'_>],
        custom: &mut CustomGrader<'_>,
    ) -> Result<SubmissionScore, String> {
        let mut scores: Vec<Option<GroupScore>> = self.groups.iter().map(|_| None).collect();
        // Backwards, because the items of a folder come after it.
        for (number, group) in self.groups.iter().enumerate().rev() {
            let score = self.score_group(group, results, &scores, custom)?;
            scores[number] = Some(score);
        }
        // Rejected items have no score in the result; only the graders of their parents use one.
        let is_scored = |group: &GroupScore| group.verdict == Verdict::Accepted;
        let without_rejected_score =
            |group: GroupScore| GroupScore { score: group.score.filter(|_| is_scored(&group)), ..group };
        let mut scores = scores.into_iter().flatten().map(without_rejected_score);
        let total = scores.next().ok_or("there is nothing to grade")?;
        let best = self.best_score();
        Ok(SubmissionScore {
            total: GroupScore { best, ..total },
            groups: scores.filter(|group| group.group.starts_with("secret/")).collect(),
        })
    }

    fn score_group(
        &self,
        group: &GraderGroup,
        results: &[CaseOutcome<'_>],
        scores: &[Option<GroupScore>],
        custom: &mut CustomGrader<'_>,
    ) -> Result<GroupScore, String> {
        let mut item_results: Vec<(Verdict, f64)> = Vec::new();
        for item in &group.items {
            let result = match item {
                GraderItem::Case(case) => Some(self.score_case(group, &results[*case])?),
                GraderItem::Group(other) => {
                    scores[*other].as_ref().map(|group| (group.verdict, group.score.unwrap_or(0.0)))
                }
            };
            let Some(result) = result else { continue };
            item_results.push(result);
            if result.0 != Verdict::Accepted && group.stops_on_reject {
                break;
            }
        }
        let (verdict, score) = if item_results.is_empty() {
            (Verdict::Accepted, 0.0)
        } else if group.is_custom {
            run_custom_grader(group, &item_results, custom)?
        } else {
            run_default_grader(group, &item_results)?
        };
        let (min, max) = group.range;
        if verdict == Verdict::Accepted && !(min <= score && score <= max) {
            return Err(format!("`data/{}` gets {score} points, but its `range` is {min} to {max}", group.name));
        }
        Ok(GroupScore { group: group.name.clone(), verdict, score: Some(score), best: self.best_group_score(group) })
    }

    fn score_case(&self, group: &GraderGroup, result: &CaseOutcome<'_>) -> Result<(Verdict, f64), String> {
        let is_accepted = result.verdict == Verdict::Accepted;
        let of_case = |text: &str| format!("`{}`: {text}", result.name);
        let points = result.feedback.parse_points().map_err(|text| of_case(&text))?;
        match (is_accepted, points) {
            (true, Some(_)) if !self.has_custom_scores => {
                Err(of_case("`score.txt` was written, but `validation` does not include `score`"))
            }
            (false, Some(_)) => Err(of_case("`score.txt` was written for a rejected test case")),
            (true, Some(score)) => Ok((result.verdict, score)),
            (true, None) if self.has_custom_scores => {
                Err(of_case("`validation` includes `score`, but no `score.txt` was written"))
            }
            (true, None) => Ok((result.verdict, group.accept_score)),
            (false, None) => Ok((result.verdict, group.reject_score)),
        }
    }
}

fn run_default_grader(group: &GraderGroup, item_results: &[(Verdict, f64)]) -> Result<(Verdict, f64), String> {
    let flags = GraderFlags::from_flags(&group.flags);
    let counted = match (flags.ignores_sample, item_results) {
        (false, all) => all,
        (true, [_, secret] | [secret]) => std::slice::from_ref(secret),
        (true, _) => return Err("`ignore_sample` is only allowed for `data`, with its two folders".to_owned()),
    };
    let verdicts = || counted.iter().map(|(verdict, _)| *verdict);
    let any_is_accepted = verdicts().any(|verdict| verdict == Verdict::Accepted);
    let verdict = match flags.verdict_aggregation {
        _ if flags.accepts_if_any && any_is_accepted => Verdict::Accepted,
        VerdictAggregation::Worst => verdicts().min_by_key(verdict_rank).unwrap_or(Verdict::Accepted),
        VerdictAggregation::FirstError => verdicts().find(|v| *v != Verdict::Accepted).unwrap_or(Verdict::Accepted),
        VerdictAggregation::AlwaysAccept => Verdict::Accepted,
    };
    let scores = || counted.iter().map(|(_, score)| *score);
    let score = match flags.score_aggregation {
        ScoreAggregation::Sum => scores().sum(),
        ScoreAggregation::Average => scores().sum::<f64>() / counted.len() as f64,
        ScoreAggregation::Min => scores().fold(f64::INFINITY, f64::min),
        ScoreAggregation::Max => scores().fold(f64::NEG_INFINITY, f64::max),
    };
    Ok((verdict, round_score(score)))
}

fn verdict_rank(verdict: &Verdict) -> usize {
    VERDICTS_WORST_FIRST.iter().position(|other| other == verdict).unwrap_or(0)
}

fn grader_verdict_code(verdict: Verdict) -> &'static str {
    if verdict == Verdict::PresentationError { Verdict::WrongAnswer.code() } else { verdict.code() }
}

fn run_custom_grader(
    group: &GraderGroup,
    item_results: &[(Verdict, f64)],
    custom: &mut CustomGrader<'_>,
) -> Result<(Verdict, f64), String> {
    let mut lines = String::new();
    for (verdict, score) in item_results {
        let _ = writeln!(lines, "{} {score}", grader_verdict_code(*verdict));
    }
    let printed = custom(&group.flags, &lines)?;
    let words: Vec<&str> = printed.split_whitespace().collect();
    let read = |verdict: &str, score: &str| {
        let score = score.parse::<f64>().ok().filter(|score| score.is_finite())?;
        Some((Verdict::from_code(verdict).filter(|v| *v != Verdict::CompileError)?, score))
    };
    match words[..] {
        [verdict, score] => read(verdict, score),
        _ => None,
    }
    .filter(|(verdict, _)| *verdict != Verdict::JudgeError)
    .ok_or_else(|| {
        let shown: String = printed.chars().take(60).filter(|c| !c.is_control()).collect();
        format!("the grader of `data/{}` should print a verdict and a score, but printed `{shown}`", group.name)
    })
}
