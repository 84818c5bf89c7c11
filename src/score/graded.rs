//! The legacy way: the result of a folder is what its grader makes of the results of what is in it.

use super::mark::{Mark, Marks, Outcome, rounded};
use crate::verdict::Verdict;
use std::fmt::Write as _;

/// Asks a grader of the jury: its arguments and the results that it reads, a line each; what it printed.
pub type Custom<'a> = dyn FnMut(&[String], &str) -> Result<String, String> + 'a;

/// All folders with their graders.
#[derive(Clone, Debug, PartialEq)]
pub struct Graded {
    /// The folders, a folder before those inside it; the first is `data` itself.
    pub groups: Vec<GradedGroup>,
    /// Whether the output validator gives each accepted test case its score.
    pub has_custom_scores: bool,
    /// Whether a smaller score is better.
    pub is_minimised: bool,
}

/// A folder and its grader.
#[derive(Clone, Debug, PartialEq)]
pub struct GradedGroup {
    /// Its path below `data/`; empty for `data` itself.
    pub name: String,
    /// What is in it, in the order in which it is judged.
    pub items: Vec<Item>,
    /// Whether what follows the first that is not accepted does not count.
    pub stops: bool,
    /// Whether the jury has a grader of its own.
    pub is_custom: bool,
    /// What that grader, or ours, is told.
    pub flags: Vec<String>,
    /// The score of an accepted test case.
    pub accept_score: f64,
    /// The score of any other.
    pub reject_score: f64,
    /// Between which scores that of the folder has to be.
    pub range: (f64, f64),
}

/// What is in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// The test case of this number.
    Case(usize),
    /// The folder of this number.
    Group(usize),
}

/// How the verdict of a folder follows from those inside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OfVerdicts {
    /// The worst counts.
    #[default]
    Worst,
    /// The first that is not accepted counts.
    First,
    /// It is accepted.
    Accepted,
}

/// How the score of a folder follows from those inside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OfScores {
    /// Their sum.
    #[default]
    Sum,
    /// Their average.
    Average,
    /// The least.
    Least,
    /// The greatest.
    Greatest,
}

/// What the default grader is told: of what excludes each other, the last word counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Manner {
    of_verdicts: OfVerdicts,
    of_scores: OfScores,
    ignores_sample: bool,
    accepts_if_any: bool,
}

/// From bad to good.
const WORST_FIRST: [Verdict; 8] = [
    Verdict::JudgeError,
    Verdict::RuntimeError,
    Verdict::MemoryLimit,
    Verdict::TimeLimit,
    Verdict::OutputLimit,
    Verdict::WrongAnswer,
    Verdict::PresentationError,
    Verdict::Accepted,
];

impl Manner {
    fn of(flags: &[String]) -> Manner {
        let mut manner = Manner::default();
        for flag in flags {
            match flag.as_str() {
                "worst_error" | "no_errors" => manner.of_verdicts = OfVerdicts::Worst,
                "first_error" => manner.of_verdicts = OfVerdicts::First,
                "always_accept" => manner.of_verdicts = OfVerdicts::Accepted,
                "sum" => manner.of_scores = OfScores::Sum,
                "avg" => manner.of_scores = OfScores::Average,
                "min" => manner.of_scores = OfScores::Least,
                "max" => manner.of_scores = OfScores::Greatest,
                "ignore_sample" => manner.ignores_sample = true,
                "accept_if_any_accepted" => manner.accepts_if_any = true,
                _ => {}
            }
        }
        manner
    }
}

impl GradedGroup {
    /// How the default grader makes the score of it.
    pub fn of_scores(&self) -> OfScores {
        Manner::of(&self.flags).of_scores
    }

    /// Whether it may be accepted though not all inside it is.
    pub fn forgives(&self) -> bool {
        let manner = Manner::of(&self.flags);
        manner.of_verdicts == OfVerdicts::Accepted || manner.accepts_if_any
    }

    /// Whether samples do not count.
    pub fn ignores_sample(&self) -> bool {
        Manner::of(&self.flags).ignores_sample
    }
}

impl Graded {
    /// Whether the default grader knows this word.
    pub fn knows_flag(flag: &str) -> bool {
        const QUIET: [&str; 3] = ["worst_error", "no_errors", "sum"];
        QUIET.contains(&flag) || Manner::of(&[flag.to_owned()]) != Manner::default()
    }

    /// Returns the secret test cases that lie beside groups and have the same score whatever they get.
    pub(super) fn cases_without_points(&self) -> Vec<usize> {
        let is_secret = |group: &&GradedGroup| group.name == "secret" || group.name.starts_with("secret/");
        let has_groups = |group: &&GradedGroup| group.items.iter().any(|item| matches!(item, Item::Group(_)));
        let gives_none =
            |group: &&GradedGroup| !group.is_custom && group.forgives() && group.accept_score == group.reject_score;
        let groups = self.groups.iter().filter(is_secret).filter(has_groups).filter(gives_none);
        let items = groups.filter(|_| !self.has_custom_scores).flat_map(|group| &group.items);
        items.filter_map(|item| if let Item::Case(case) = item { Some(*case) } else { None }).collect()
    }

    /// The best score of all, if it is finite.
    pub(super) fn best(&self) -> Option<f64> {
        let of = |name: &str| self.groups.iter().find(|group| group.name == name).and_then(|g| self.best_of(g));
        of("").or_else(|| of("secret"))
    }

    fn best_of(&self, group: &GradedGroup) -> Option<f64> {
        let (least, greatest) = group.range;
        Some(if self.is_minimised { least } else { greatest }).filter(|best| best.is_finite())
    }

    /// # Errors
    /// In words, if the jury's side failed.
    pub(super) fn marks(&self, results: &[Outcome<'_>], custom: &mut Custom<'_>) -> Result<Marks, String> {
        let mut marks: Vec<Option<Mark>> = self.groups.iter().map(|_| None).collect();
        // Backwards, a folder comes after all that is inside it.
        for (number, group) in self.groups.iter().enumerate().rev() {
            let mark = self.mark(group, results, &marks, custom)?;
            marks[number] = Some(mark);
        }
        // What is not accepted has no score: only the graders around it saw one.
        let is_scored = |mark: &Mark| mark.verdict == Verdict::Accepted;
        let final_mark = |mark: Mark| Mark { score: mark.score.filter(|_| is_scored(&mark)), ..mark };
        let mut marks = marks.into_iter().flatten().map(final_mark);
        let total = marks.next().ok_or("there is nothing to be graded")?;
        let best = self.best();
        Ok(Marks {
            total: Mark { best, ..total },
            groups: marks.filter(|mark| mark.group.starts_with("secret/")).collect(),
        })
    }

    fn mark(
        &self,
        group: &GradedGroup,
        results: &[Outcome<'_>],
        marks: &[Option<Mark>],
        custom: &mut Custom<'_>,
    ) -> Result<Mark, String> {
        let mut inside: Vec<(Verdict, f64)> = Vec::new();
        for item in &group.items {
            let one = match item {
                Item::Case(case) => Some(self.case(group, &results[*case])?),
                Item::Group(other) => marks[*other].as_ref().map(|mark| (mark.verdict, mark.score.unwrap_or(0.0))),
            };
            let Some(one) = one else { continue };
            inside.push(one);
            if one.0 != Verdict::Accepted && group.stops {
                break;
            }
        }
        let (verdict, score) = if inside.is_empty() {
            (Verdict::Accepted, 0.0)
        } else if group.is_custom {
            asked(group, &inside, custom)?
        } else {
            by_default(group, &inside)?
        };
        let (least, greatest) = group.range;
        if verdict == Verdict::Accepted && !(least <= score && score <= greatest) {
            return Err(format!("`data/{}` gets {score} points, and its `range` is {least} to {greatest}", group.name));
        }
        Ok(Mark { group: group.name.clone(), verdict, score: Some(score), best: self.best_of(group) })
    }

    /// What counts of a test case.
    fn case(&self, group: &GradedGroup, result: &Outcome<'_>) -> Result<(Verdict, f64), String> {
        let is_accepted = result.verdict == Verdict::Accepted;
        let of_case = |text: &str| format!("`{}`: {text}", result.name);
        let given = result.given.points().map_err(|text| of_case(&text))?;
        match (is_accepted, given) {
            (true, Some(_)) if !self.has_custom_scores => {
                Err(of_case("`score.txt` was written, and `validation` does not say `score`"))
            }
            (false, Some(_)) => Err(of_case("`score.txt` was written about what is not accepted")),
            (true, Some(score)) => Ok((result.verdict, score)),
            (true, None) if self.has_custom_scores => {
                Err(of_case("`validation` says `score`, and no `score.txt` was written"))
            }
            (true, None) => Ok((result.verdict, group.accept_score)),
            (false, None) => Ok((result.verdict, group.reject_score)),
        }
    }
}

/// What the default grader makes of some results.
fn by_default(group: &GradedGroup, inside: &[(Verdict, f64)]) -> Result<(Verdict, f64), String> {
    let manner = Manner::of(&group.flags);
    let counted = match (manner.ignores_sample, inside) {
        (false, all) => all,
        (true, [_, secret] | [secret]) => std::slice::from_ref(secret),
        (true, _) => return Err("`ignore_sample` is for `data` alone, with its two folders".to_owned()),
    };
    let verdicts = || counted.iter().map(|(verdict, _)| *verdict);
    let any_is_accepted = verdicts().any(|verdict| verdict == Verdict::Accepted);
    let verdict = match manner.of_verdicts {
        _ if manner.accepts_if_any && any_is_accepted => Verdict::Accepted,
        OfVerdicts::Worst => verdicts().min_by_key(badness).unwrap_or(Verdict::Accepted),
        OfVerdicts::First => verdicts().find(|v| *v != Verdict::Accepted).unwrap_or(Verdict::Accepted),
        OfVerdicts::Accepted => Verdict::Accepted,
    };
    let scores = || counted.iter().map(|(_, score)| *score);
    let score = match manner.of_scores {
        OfScores::Sum => scores().sum(),
        OfScores::Average => scores().sum::<f64>() / counted.len() as f64,
        OfScores::Least => scores().fold(f64::INFINITY, f64::min),
        OfScores::Greatest => scores().fold(f64::NEG_INFINITY, f64::max),
    };
    Ok((verdict, rounded(score)))
}

fn badness(verdict: &Verdict) -> usize {
    WORST_FIRST.iter().position(|other| other == verdict).unwrap_or(0)
}

/// The verdicts that graders know, by their codes.
fn code(verdict: Verdict) -> &'static str {
    if verdict == Verdict::PresentationError { Verdict::WrongAnswer.code() } else { verdict.code() }
}

/// What the jury's grader makes of some results.
fn asked(group: &GradedGroup, inside: &[(Verdict, f64)], custom: &mut Custom<'_>) -> Result<(Verdict, f64), String> {
    let mut lines = String::new();
    for (verdict, score) in inside {
        let _ = writeln!(lines, "{} {score}", code(*verdict));
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
        format!("the grader of `data/{}` should print a verdict and a score, and prints `{shown}`", group.name)
    })
}
