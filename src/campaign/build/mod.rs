//! Builds a test set: makes the inputs that a recipe asks for, judges them, answers them, and has every accepted submission
//! agree.
//!
//! What a test is made from is summed up in its key. Where the lock knows the key and the file is still as it was, nothing is
//! made again. Everything depends on the recipe, the package and the seed alone, so the number of workers changes no byte.

mod answer;
mod cases;
mod every;
mod flaw;
mod input;
mod order;
mod program;

pub use flaw::{Blame, Flaw, FlawKind};
pub use order::{Accepted, Drawn, Making, Order, Stated};

use super::bench::{Bench, Validator};
use super::event::{Building, Built, BuiltTest, Event, Reached, Sink, Stage, Warning};
use super::parallel::run_in_parallel;
use super::profile::reached;
use crate::campaign::AnswerValidator;
use crate::corpus::{Changes, TestSet, Wanted, digest, hash};
use crate::coverage::Coverage;
use crate::diagnostic::Result;
use crate::format::Format;
use answer::Answered;
use input::Input;
use std::collections::BTreeMap;
use std::time::Instant;

/// Everything that a test set is built with.
pub struct BuildPlan<'a> {
    /// The tests, in the order of the test set.
    pub orders: Vec<Order>,
    /// What is on the disk.
    pub set: &'a TestSet,
    /// The problem's own format, if it has one.
    pub format: Option<&'a Format>,
    /// Whose outputs are the answers, and what compares.
    pub bench: Bench,
    /// The digest of the reference's source.
    pub reference_key: String,
    /// Validators that the format names: they are part of it.
    pub own_validators: Vec<Validator>,
    /// The package's other validators: what the format thinks of an input, they are to think, too.
    pub validators: Vec<Validator>,
    /// Who judges answers.
    pub answer_validators: Vec<AnswerValidator>,
    /// Submissions that have to be right on every test.
    pub accepted: Vec<Accepted>,
    /// Files beside the tests: what judges read of groups.
    pub others: Vec<Wanted>,
    /// Workers.
    pub jobs: usize,
    /// Make everything again, whatever the lock says.
    pub anew: bool,
}

/// A test set that was made, and not written yet.
pub struct Made {
    /// Its files.
    pub files: Vec<Wanted>,
    /// What is wrong with it.
    pub flaws: Vec<Flaw>,
    /// How it differs from what is there.
    pub changes: Changes,
    tests: Vec<BuiltTest>,
    goals: Vec<Reached>,
}

/// Makes the test set. Flaws and warnings are told as they are known.
///
/// # Errors
/// If a program cannot be run at all, or the user asked to stop.
pub fn build(plan: &BuildPlan<'_>, sink: &mut dyn Sink) -> Result<Made> {
    let began = Instant::now();
    let tell = |stage: Stage, done: usize, of: usize, sink: &mut dyn Sink| {
        let elapsed_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        sink.take(&Event::Building(Building { stage, done, of, elapsed_ms }));
    };
    let (inputs, mut flaws) = input::inputs(plan, &mut |done, of| tell(Stage::Inputs, done, of, sink))?;
    let count = inputs.len();
    let told = &mut |done| tell(Stage::Answers, done, count, sink);
    let answered = run_in_parallel(plan.jobs, count, |i| answer::answered(plan, &inputs[i]), told)?;
    flaws.extend(answered.iter().flat_map(|answered| answered.flaws.clone()));
    flaws.sort_by_key(|flaw| flaw.order);
    for flaw in &flaws {
        sink.take(&Event::Flaw(flaw.clone()));
    }
    warn(plan, &inputs, sink);
    let mut files = files(plan, &inputs, &answered);
    files.extend_from_slice(&plan.others);
    let changes = plan.set.changes(&files);
    let goals = goals(plan.format, &answered);
    Ok(Made { files, flaws, changes, tests: tests(&inputs, &answered), goals })
}

impl Made {
    /// The event that tells of it.
    pub fn event(&self, written: bool) -> Built {
        Built {
            tests: self.tests.clone(),
            goals: self.goals.clone(),
            changes: self.changes.clone(),
            flaws: self.flaws.len(),
            written,
        }
    }
}

/// The input and the answer of each test.
fn files(plan: &BuildPlan<'_>, inputs: &[Input], answered: &[Answered]) -> Vec<Wanted> {
    let mut files = Vec::new();
    for (input, answered) in inputs.iter().zip(answered) {
        let wanted = |extension: &str, key: &str, bytes: &[u8]| Wanted {
            path: format!("{}.{extension}", input.name),
            key: key.to_owned(),
            bytes: bytes.to_vec(),
        };
        files.push(wanted("in", &input.key, &input.bytes));
        if let Some(answer) = &answered.answer {
            files.push(wanted("ans", &answer_key(plan, input), answer));
        }
    }
    files
}

/// What decides an answer's bytes.
fn answer_key(plan: &BuildPlan<'_>, input: &Input) -> String {
    let stated = plan.orders[input.order].answer.as_ref().map_or(&[][..], |stated| &stated.bytes);
    // What the reference shows is a matter of the jury's program, too.
    let referee = plan.bench.referee.knows_what_is_right().then(|| plan.bench.referee.identity()).flatten();
    let kind = referee.map_or_else(|| "answer 1".to_owned(), |identity| format!("answer 2 {identity}"));
    digest(&[kind.as_bytes(), hash(&input.bytes).as_bytes(), plan.reference_key.as_bytes(), stated])
}

fn tests(inputs: &[Input], answered: &[Answered]) -> Vec<BuiltTest> {
    let tests = inputs.iter().zip(answered).map(|(input, answered)| BuiltTest {
        name: input.name.clone(),
        shape: input.shape.clone(),
        cases: answered.cases,
        bytes: input.bytes.len(),
        kept: input.is_kept && answered.is_kept,
    });
    tests.collect()
}

/// What all inputs together reach.
fn goals(format: Option<&Format>, answered: &[Answered]) -> Vec<Reached> {
    let Some(format) = format else { return Vec::new() };
    let mut coverage = Coverage::new(format);
    answered.iter().filter_map(|answered| answered.value.as_ref()).for_each(|value| coverage.take(value));
    coverage.goals().map(reached).collect()
}

/// What is no mistake, and hardly meant.
fn warn(plan: &BuildPlan<'_>, inputs: &[Input], sink: &mut dyn Sink) {
    let mut same: BTreeMap<&[u8], Vec<&Input>> = BTreeMap::new();
    for input in inputs.iter().filter(|input| !matches!(plan.orders[input.order].making, Making::Copy(_))) {
        same.entry(&input.bytes).or_default().push(input);
    }
    let mut twins: Vec<Vec<&Input>> = same.into_values().filter(|alike| alike.len() > 1).collect();
    twins.sort_by_key(|alike| alike[0].order);
    for alike in twins {
        let others: Vec<String> = alike[1..].iter().map(|input| format!("`{}`", input.name)).collect();
        let message = format!("`{}` and {} are the same input", alike[0].name, others.join(", "));
        sink.take(&Event::Warning(Warning { message, help: Some("`copy` says that this is meant".to_owned()) }));
    }
    for (order, _) in plan.orders.iter().enumerate() {
        let Some(name) = inputs.iter().find(|i| i.order == order && i.ignores_seed).map(|i| &i.name) else { continue };
        let message = format!("the generator of `{name}` ignores its seed: another one makes the same input");
        let help = "without `{seed}` in its arguments nobody expects more".to_owned();
        sink.take(&Event::Warning(Warning { message, help: Some(help) }));
    }
}
