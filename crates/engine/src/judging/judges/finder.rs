//! A judge of several programs at once: it rejects an input on which an expression about their runs holds. So searching,
//! shrinking, proving and replaying need to know nothing of expressions.

use super::{Judge, JudgeRequest};
use crate::judging::run_result::{RunResult, failure_message, judge_finished_run};
use rebut_checkers::{Checker, Judgement, Mismatch};
use rebut_diagnostics::{Diagnostic, Result};
use rebut_packages::finder_syntax::{Condition, Expression, Measure, Operand, parse_expression};
use rebut_packages::verdict::Verdict;
use rebut_sandbox::Program;
use std::cmp::Ordering;

/// An expression about the runs of programs on one input, such as `wa fails and tle passes`.
pub struct FinderExpression(Expression);

/// A finder expression with its programs.
pub struct Finder {
    condition: Condition,
    /// The programs that the expression mentions, with their names.
    programs: Vec<(String, Program)>,
    /// Judges each of them.
    pub(super) judge: Judge,
}

impl FinderExpression {
    /// Parses an expression. `names` has the names of each program that it may mention.
    ///
    /// # Errors
    /// Returns the first error, with its place in the text.
    pub fn parse(text: &str, names: &[Vec<String>]) -> std::result::Result<FinderExpression, Diagnostic> {
        parse_expression(text, Some(names)).map(FinderExpression)
    }

    /// Returns the programs that it mentions, by their places among the names.
    pub fn program_numbers(&self) -> &[usize] {
        &self.0.programs
    }

    /// Returns the judge that rejects an input if the expression holds on it. `programs` are those of
    /// [`program_numbers`](Self::program_numbers), with their names; `judge` judges each of them.
    pub fn into_finder(self, programs: Vec<(String, Program)>, judge: Judge) -> Finder {
        assert_eq!(programs.len(), self.0.programs.len(), "each program is compiled");
        Finder { condition: self.0.condition, programs, judge }
    }
}

impl Finder {
    /// Runs the programs as far as the expression depends on them. If it holds, the result is a rejection that describes
    /// their runs. `submission` stands for all of them.
    pub(super) fn judge_input(&self, submission: &Program, request: &JudgeRequest<'_>) -> Result<RunResult> {
        let mut runs = ProgramRuns { finder: self, request, runs: vec![None; self.programs.len()] };
        let holds = runs.test_condition(&self.condition)?;
        let message = if holds { runs.describe_runs()? } else { String::new() };
        let known = || runs.runs.iter().flatten();
        if let Some(failed) = known().find(|run| run.verdict == Verdict::JudgeError) {
            return Ok(failed.clone());
        }
        let mut outcome = request.run_submission(submission)?;
        outcome.cpu_time_us = known().map(|run| run.outcome.cpu_time_us).sum();
        outcome.memory_peak_bytes = known().map(|run| run.outcome.memory_peak_bytes).max().unwrap_or(0);
        let mismatch = Mismatch { message, hints: Vec::new(), line: None, token: None, presentation: false };
        Ok(judge_finished_run(outcome, |_| if holds { Judgement::Wrong(mismatch) } else { Judgement::Accepted }))
    }
}

/// The runs of the programs on one input, each made when it is needed first.
struct ProgramRuns<'r> {
    finder: &'r Finder,
    request: &'r JudgeRequest<'r>,
    runs: Vec<Option<RunResult>>,
}

/// One side of a comparison.
enum Value {
    Number(f64),
    Text(Vec<u8>),
}

impl Value {
    fn to_number(&self) -> Option<f64> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Text(text) => std::str::from_utf8(text).ok()?.trim().parse().ok(),
        }
    }
}

impl ProgramRuns<'_> {
    fn run_program(&mut self, program: usize) -> Result<&RunResult> {
        let run = match self.runs[program].take() {
            Some(run) => run,
            None => {
                let request = JudgeRequest { ran: None, ..*self.request };
                self.finder.judge.run_and_judge(&self.finder.programs[program].1, &request)?
            }
        };
        Ok(self.runs[program].insert(run))
    }

    fn test_condition(&mut self, condition: &Condition) -> Result<bool> {
        Ok(match condition {
            Condition::Group { is_any, parts } => {
                for part in parts {
                    if self.test_condition(part)? == *is_any {
                        return Ok(*is_any);
                    }
                }
                !is_any
            }
            Condition::Not(inner) => !self.test_condition(inner)?,
            Condition::Verdict(program, verdicts) => verdicts.contains(self.run_program(*program)?.verdict),
            Condition::Compare(allowed, left, right) => {
                let (left, right) = (self.measure_operand(left)?, self.measure_operand(right)?);
                let ordering = left.zip(right).map(|(left, right)| self.compare_values(&left, &right));
                ordering.is_some_and(|ordering| allowed.contains(&ordering))
            }
        })
    }

    /// Returns the value of an operand; `None` if it has none, such as the answer of a program that crashed. Whatever is
    /// compared with that is false.
    fn measure_operand(&mut self, operand: &Operand) -> Result<Option<Value>> {
        Ok(match operand {
            Operand::Number(number) => Some(Value::Number(*number)),
            Operand::Text(text) => Some(Value::Text(text.clone().into_bytes())),
            Operand::Product(left, right) => {
                let sides = [self.measure_operand(left)?, self.measure_operand(right)?];
                let [left, right] = sides.map(|value| value.and_then(|value| value.to_number()));
                left.zip(right).map(|(left, right)| Value::Number(left * right))
            }
            Operand::Measured(measure, program) => {
                let run = self.run_program(*program)?;
                match measure {
                    Measure::Answer => run.outcome.is_success().then(|| Value::Text(run.outcome.output.clone())),
                    Measure::Time => Some(Value::Number(run.outcome.cpu_time_us as f64 / 1e6)),
                    Measure::Memory => Some(Value::Number(run.outcome.memory_peak_bytes as f64 / f64::from(1 << 20))),
                    Measure::Score => Some(Value::Number(score_of_run(run))),
                }
            }
        })
    }

    /// Compares numbers, and texts by the checker. Returns `None` for values that differ and have no order.
    fn compare_values(&self, left: &Value, right: &Value) -> Option<Ordering> {
        if let (Value::Text(left), Value::Text(right)) = (left, right) {
            let usual = Checker::default();
            let checker = if let Judge::Checker(checker) = &self.finder.judge { checker } else { &usual };
            if checker.check(self.request.input, right, left) == Judgement::Accepted {
                return Some(Ordering::Equal);
            }
        }
        left.to_number()?.partial_cmp(&right.to_number()?)
    }

    /// Describes what each program does, one a line.
    fn describe_runs(&mut self) -> Result<String> {
        let mut lines = Vec::new();
        for (program, (name, _)) in self.finder.programs.iter().enumerate() {
            let run = self.run_program(program)?;
            let (what, why, ms) = (run.verdict.description(), failure_message(run), run.outcome.cpu_time_us / 1000);
            let why = if why == what { String::new() } else { format!(": {why}") };
            lines.push(format!("{name}: {what} in {ms} ms{why}"));
        }
        Ok(lines.join("\n"))
    }
}

/// Returns the score that the judge gave: points, or percent if it gave a multiplier, or 100 for an accepted run without.
fn score_of_run(run: &RunResult) -> f64 {
    let parse = |text: &Option<String>| text.as_ref().and_then(|text| text.trim().parse::<f64>().ok());
    let multiplied = parse(&run.feedback_score.multiplier).map(|factor| factor * 100.0);
    let usual = if run.verdict == Verdict::Accepted { 100.0 } else { 0.0 };
    parse(&run.feedback_score.score).or(multiplied).unwrap_or(usual)
}
