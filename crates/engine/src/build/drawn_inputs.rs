//! Inputs generated from a format.

use super::BuildPlan;
use super::answer_filter::{AnswerFilter, AnswerTally, RareAnswer};
use super::test_job::{DrawSettings, InputFailure, MakeError, NewInput, TestJob};
use crate::event::BuildFlawKind;
use crate::inputs::{ExhaustiveInputs, GeneratedInput, InputOrigin, InputSource, can_pack_cases, pack_cases};
use crate::judge::describe_outcome;
use crate::judging::JudgeSetup;
use crate::tuning::{
    ATTEMPTS_BEFORE_WARNING, MAX_ANSWER_ATTEMPTS, MAX_DRAW_ATTEMPTS, MAX_SCOPE_FILES, MAX_SCOPE_INPUTS, PART_OF_REST,
};
use rebut_diagnostics::{Error, shorten_text};
use rebut_format::enumerate::Enumerator;
use rebut_format::generate::{CaseShare, GenerationPlan, GenerationSettings, merge_cases};
use rebut_format::language::{Class, Format};
use rebut_format::print::print_value;
use rebut_format::validate::{explain_violation, find_violation};
use rebut_format::value::Value;
use rebut_sandbox::{CancelToken, Program, RunLimits};
use std::ffi::OsString;

/// Returns the index of the random stream for an attempt at a case of an input; all are different.
fn choice_stream(index: usize, case: usize, attempt: u64) -> u64 {
    (index as u64) << 44 | (case as u64) << 16 | attempt
}

/// Generates the input with the given index. Calls `on_rare_answer` if the wanted answer does not come soon.
pub(super) fn draw_input(
    plan: &BuildPlan<'_>,
    job: &TestJob,
    drawn: &DrawSettings,
    index: usize,
    on_rare_answer: &dyn Fn(RareAnswer),
) -> Result<NewInput, MakeError> {
    let Some(format) = &job.format else {
        return Err(InputFailure::not_generated("inputs cannot be generated without a format").into());
    };
    let answers = AnswerFilter::new(plan, job, drawn)?;
    let setup = &plan.judge_setup;
    let draw = InputDrawer { job, drawn, answers, on_rare_answer, limits: &setup.judge_limits, cancel: &setup.cancel };
    match drawn.cases {
        Some(cases) => draw.draw_merged_cases(format, index, cases as usize),
        None => {
            let shape = draw.shape_for_turn(index);
            let settings = GenerationSettings {
                shape: shape.map(str::to_owned),
                growth: drawn.growth.0,
                ..GenerationSettings::default()
            };
            let made = draw.draw_valid_input(format, settings, (index, 0))?;
            Ok(NewInput { bytes: made.bytes, ignores_seed: false, shape: Some(made.shape) })
        }
    }
}

/// Generates the inputs of a test job.
struct InputDrawer<'a> {
    job: &'a TestJob,
    drawn: &'a DrawSettings,
    answers: Option<AnswerFilter<'a>>,
    on_rare_answer: &'a dyn Fn(RareAnswer),
    limits: &'a RunLimits,
    cancel: &'a CancelToken,
}

impl<'a> InputDrawer<'a> {
    /// Returns the shape for an index; shapes take turns.
    fn shape_for_turn(&self, turn: usize) -> Option<&'a str> {
        let shapes = &self.drawn.shapes;
        (!shapes.is_empty()).then(|| shapes[turn % shapes.len()].as_str())
    }

    /// Generates a valid input of the format. If the settings name a shape, the input has that shape.
    fn draw_valid_input(
        &self,
        format: &Format,
        settings: GenerationSettings,
        (index, case): (usize, usize),
    ) -> Result<GeneratedInput, MakeError> {
        let (shape, growth) = (settings.shape.clone(), settings.growth);
        let settings = GenerationSettings { extreme: self.drawn.extreme, ..settings };
        let origin = InputOrigin::Format { plan: GenerationPlan::new(format), settings };
        let inputs = InputSource::new(origin, self.job.validators.clone(), self.limits.clone(), self.cancel.clone());
        let (mut has_other_shape, mut is_rare) = (false, false);
        let mut tally = AnswerTally::default();
        for attempt in 0..self.max_attempts() {
            if self.cancel.is_cancelled() {
                return Err(Error::interrupted().into());
            }
            let Some(made) = inputs.make_input_of_growth(self.job.seed, choice_stream(index, case, attempt), growth)?
            else {
                continue;
            };
            if shape.as_ref().is_some_and(|shape| made.shape != *shape) {
                has_other_shape = true;
                continue;
            }
            let Some(answers) = &self.answers else { return Ok(made) };
            if answers.count_answer(&made.bytes, &mut tally)? {
                return Ok(made);
            }
            // Without any answer there is nothing to say about answers.
            if !is_rare && attempt + 1 >= ATTEMPTS_BEFORE_WARNING && !tally.is_empty() {
                is_rare = true;
                (self.on_rare_answer)(answers.describe_rarity(&tally));
            }
        }
        if let Some(answers) = self.answers.as_ref().filter(|_| !tally.is_empty()) {
            return Err(answers.describe_failure(&tally).into());
        }
        let flaw = InputFailure::not_generated(match shape.filter(|_| has_other_shape) {
            Some(shape) => format!("no part of the format can have the shape `{shape}`"),
            None => format!("none of {} generated inputs was valid", self.max_attempts()),
        });
        Err(flaw.into())
    }

    fn max_attempts(&self) -> u64 {
        if self.answers.is_some() { MAX_ANSWER_ATTEMPTS } else { MAX_DRAW_ATTEMPTS }
    }

    /// Generates the given number of cases one by one and merges them into an input. If they exceed a budget, a
    /// constraint on all cases together, each case gets a share of the budgets; if that does not suffice, all cases are
    /// made smaller.
    fn draw_merged_cases(&self, format: &Format, index: usize, cases: usize) -> Result<NewInput, MakeError> {
        let Some(single) = format.with_single_case() else {
            let message = "`cases` requires a format with a `cases` block and a field that counts the cases";
            return Err(InputFailure::not_generated(message).into());
        };
        let growth_ends = self.drawn.growth;
        let growths: Vec<u32> = (0..cases).map(|case| interpolate_growth(growth_ends, case, cases)).collect();
        let portions = split_budget_portions(&growths);
        // If all cases have the same size, they are first tried without shares.
        let unshared = (growth_ends.0 == growth_ends.1).then_some((None, 100));
        let shared = [100, 80, 64, 51, 41, 33, 26, 21, 17, 10, 5, 0].map(|percent| (Some(&portions), percent));
        let mut unmet = String::new();
        for (portions, percent) in unshared.into_iter().chain(shared) {
            let mut drawn = Vec::with_capacity(cases);
            for (case, growth) in growths.iter().enumerate() {
                let settings = GenerationSettings {
                    shape: self.shape_for_turn(case).map(str::to_owned),
                    growth: growth * percent / 100,
                    max_cases: 1,
                    case_share: portions.map(|portions| portions[case]),
                    ..GenerationSettings::default()
                };
                drawn.extend(self.draw_valid_input(&single, settings, (index, case))?.value);
                // If the first few already exceed a budget, the others need not be generated.
                if portions.is_none() && drawn.len().is_power_of_two() && exceeds_budgets(format, &drawn) {
                    break;
                }
            }
            match merge_valid_cases(format, &drawn) {
                Ok(value) => return Ok(NewInput { bytes: print_value(format, &value), ..NewInput::default() }),
                Err(why) => unmet = why,
            }
        }
        let message = format!("{cases} such cases do not fit into one input, even if they are as small as possible");
        Err(InputFailure::new(BuildFlawKind::NotGenerated, message, unmet).into())
    }
}

/// Returns the share of the budgets for each case: equal shares, or if the cases grow, a third of what the larger cases
/// leave.
fn split_budget_portions(growths: &[u32]) -> Vec<CaseShare> {
    const WHOLE: u64 = 1 << 32;
    let cases = u32::try_from(growths.len()).unwrap_or(u32::MAX);
    let is_filled = growths.iter().any(|growth| *growth != growths[0]);
    let equal = WHOLE / u64::from(cases.max(1));
    let mut portions = vec![CaseShare { case_count: cases, share_of_rest: equal, is_filled }; growths.len()];
    if !is_filled {
        return portions;
    }
    let mut order: Vec<usize> = (0..growths.len()).collect();
    order.sort_by_key(|case| std::cmp::Reverse(growths[*case]));
    let mut rest = WHOLE;
    for case in order {
        portions[case].share_of_rest = rest / PART_OF_REST;
        rest -= rest / PART_OF_REST;
    }
    portions
}

/// Returns true if the cases together exceed a budget.
fn exceeds_budgets(format: &Format, cases: &[Value]) -> bool {
    let broken = merge_cases(format, cases).and_then(|value| find_violation(format, &value));
    broken.is_some_and(|broken| format.constraints[broken.constraint].class == Class::Budget)
}

/// Merges the cases into one input.
///
/// # Errors
/// Returns an error message if that input is invalid.
fn merge_valid_cases(format: &Format, cases: &[Value]) -> Result<Value, String> {
    let Some(value) = merge_cases(format, cases) else {
        return Err("the format has no field that counts the cases".to_owned());
    };
    match find_violation(format, &value) {
        None => Ok(value),
        Some(broken) => Err(explain_violation(format, &value, &broken).message),
    }
}

/// Interpolates linearly between the growth of the first case and that of the last.
fn interpolate_growth((first, last): (u32, u32), case: usize, cases: usize) -> u32 {
    let (case, steps) = (case as u64, (cases as u64).saturating_sub(1).max(1));
    let size = (u64::from(first) * (steps - case.min(steps)) + u64::from(last) * case) / steps;
    u32::try_from(size).unwrap_or(100).min(100)
}

// Inputs printed by generator programs.

/// Placeholder for the seed in the arguments of a generator.
const SEED_PLACEHOLDER: &str = "{seed}";

/// Placeholder for the name of the test.
const NAME_PLACEHOLDER: &str = "{name}";

/// Generates the input with the given index of a test. The generator runs twice with the same seed, to find out whether
/// it is deterministic, and for the first input once more with another one, to find out whether it uses its seed.
pub(super) fn generate_input(
    judge_setup: &JudgeSetup,
    job: &TestJob,
    (program, arguments): (&Program, &[String]),
    index: usize,
) -> Result<NewInput, MakeError> {
    let run = |seed: u64| run_generator(judge_setup, job, (program, arguments), seed);
    let seed = generator_seed(job, index);
    let (first, second) = (run(seed)?, run(seed)?);
    if first != second {
        let message = format!(
            "the generator `{}` is not deterministic: seed {seed} gave two different inputs",
            program.display_name()
        );
        let note = format!("first  {}\nsecond {}", shorten_text(&first, 60), shorten_text(&second, 60));
        return Err(InputFailure::new(BuildFlawKind::Generator, message, note).into());
    }
    let takes_seed = index == 0 && arguments.iter().any(|argument| argument.contains(SEED_PLACEHOLDER));
    let ignores_seed = takes_seed
        && match run(seed ^ 1) {
            Err(MakeError::Flaw(_)) => false,
            other => other? == first,
        };
    Ok(NewInput { bytes: first, ignores_seed, shape: None })
}

/// Returns the seed for the generator: the one in the recipe plus the index, or else one derived from the test. That has
/// 31 bits, which every language can parse as an integer.
fn generator_seed(job: &TestJob, index: usize) -> u64 {
    match job.has_own_seed {
        true => job.seed.wrapping_add(index as u64),
        // Multiples of the golden ratio, as a fraction of 2^32, are far apart.
        false => job.seed.wrapping_add((index as u64).wrapping_mul(0x9e37_79b9)) & 0x7fff_ffff,
    }
}

/// Runs the generator once, and returns what it printed.
fn run_generator(
    judge_setup: &JudgeSetup,
    job: &TestJob,
    (program, arguments): (&Program, &[String]),
    seed: u64,
) -> Result<Vec<u8>, MakeError> {
    let filled =
        |argument: &String| argument.replace(SEED_PLACEHOLDER, &seed.to_string()).replace(NAME_PLACEHOLDER, &job.stem);
    let arguments: Vec<OsString> = arguments.iter().map(|argument| OsString::from(filled(argument))).collect();
    let outcome = program.run(b"", &arguments, &judge_setup.judge_limits, &judge_setup.cancel)?;
    if outcome.is_success() {
        return Ok(outcome.output);
    }
    let message = format!("the generator `{}` {} for seed {seed}", program.display_name(), describe_outcome(&outcome));
    let note = String::from_utf8_lossy(&outcome.stderr).into_owned();
    Err(InputFailure::new(BuildFlawKind::Generator, message, note).into())
}

// Every input of a restricted format, packed into as few files as possible.

/// Returns all inputs of the job's format that its validators accept, the smallest first.
pub(super) fn enumerate_inputs(judge_setup: &JudgeSetup, job: &TestJob) -> Result<Vec<NewInput>, MakeError> {
    let not_generated = |message: String| Err(InputFailure::not_generated(message).into());
    let cancel = &judge_setup.cancel;
    let Some(format) = &job.format else {
        return not_generated("`exhaustive` requires a format".to_owned());
    };
    let single = ExhaustiveInputs::single_case_format(format);
    let plan = GenerationPlan::new(single.as_ref().unwrap_or(format));
    let stop = || cancel.is_cancelled();
    let mut values = Vec::new();
    let mut enumerator = Enumerator::new(&plan, usize::MAX, &stop);
    for value in enumerator.by_ref() {
        if values.len() == MAX_SCOPE_INPUTS {
            return not_generated(format!("the scope has more than {MAX_SCOPE_INPUTS} inputs: narrow it"));
        }
        if passes_validators(judge_setup, job, &print_value(plan.format, &value))? {
            values.push(value);
        }
    }
    if cancel.is_cancelled() {
        return Err(Error::interrupted().into());
    }
    if enumerator.is_cut_short() {
        return not_generated(
            "the inputs of the scope cannot be listed: the enumeration would need too much memory".to_owned(),
        );
    }
    if values.is_empty() {
        return not_generated("the scope contains no input".to_owned());
    }
    match pack_into_files(format, &values) {
        Some(files) => Ok(files),
        None => not_generated(format!(
            "the {} inputs of the scope need more than {MAX_SCOPE_FILES} files: narrow it",
            values.len()
        )),
    }
}

fn passes_validators(judge_setup: &JudgeSetup, job: &TestJob, input: &[u8]) -> Result<bool, Error> {
    for validator in &job.validators {
        if validator.check_input(input, &judge_setup.judge_limits, &judge_setup.cancel)?.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Packs the inputs into files, each as full as possible. Returns `None` if there are too many files.
fn pack_into_files(format: &Format, mut values: &[Value]) -> Option<Vec<NewInput>> {
    let mut files = Vec::new();
    while !values.is_empty() {
        let (taken, value) = pack_longest_prefix(format, values)?;
        files.push(NewInput { bytes: print_value(format, &value), ..NewInput::default() });
        values = &values[taken..];
        if files.len() > MAX_SCOPE_FILES {
            return None;
        }
    }
    Some(files)
}

/// Packs as many of the first values as possible into one file, and returns their number and the file. The search is
/// binary, because more cases never fit better.
fn pack_longest_prefix(format: &Format, values: &[Value]) -> Option<(usize, Value)> {
    let most = if can_pack_cases(format) { values.len() } else { 1 };
    if let Some(all) = pack_cases(format, &values[..most]) {
        return Some((most, all));
    }
    let (mut fits, mut too_many) = (1, most);
    while too_many - fits > 1 {
        let middle = usize::midpoint(fits, too_many);
        match pack_cases(format, &values[..middle]) {
            Some(_) => fits = middle,
            None => too_many = middle,
        }
    }
    Some((fits, pack_cases(format, &values[..fits])?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_interpolated_linearly() {
        let sizes = |ends, cases| (0..cases).map(|case| interpolate_growth(ends, case, cases)).collect::<Vec<u32>>();
        assert_eq!(sizes((100, 0), 5), [100, 75, 50, 25, 0]);
        assert_eq!(sizes((0, 100), 3), [0, 50, 100]);
        assert_eq!(sizes((30, 30), 3), [30, 30, 30]);
        assert_eq!(sizes((100, 0), 1), [100]);
    }
}
