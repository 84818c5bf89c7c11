//! Bespoke shapes: generators written for one problem, with properties that no format can express.

use super::{GeneratedValue, GenerationError, GenerationPlan, GenerationSettings};
use crate::language::Format;
use crate::read;
use crate::validate;
use crate::value::{InstanceList, Value, instances_in_holder};
use rebut_diagnostics::Diagnostic;
use rebut_generators::{Choices, PROBLEM_SHAPES, ProblemShape};

/// One in three inputs comes from a bespoke shape, if the format names some.
const BESPOKE_CHANCE: (u32, u32) = (1, 3);

/// The draws from which a bespoke shape made one case, so that it can be made again, or with small changes.
#[derive(Clone, Debug)]
pub struct BespokeRecipe {
    shape: &'static ProblemShape,
    /// The intended size of the case, from 0 to 100.
    pub growth: u32,
    /// The recorded draws. Any numbers are valid, and zero is always the simplest.
    pub draws: Vec<u64>,
}

impl BespokeRecipe {
    /// Returns the recipe of another case of the same shape, with its own number and growth.
    #[must_use]
    pub fn sibling_recipe(&self, growth: u32, number: u64) -> BespokeRecipe {
        /// An arbitrary constant, to keep the derived numbers apart from the seeds of a search.
        const SEED: u64 = 0x5161_6c69_6e67;
        let mut choices = Choices::from_seed(SEED, number).with_recording();
        (self.shape.make)(&mut choices, growth);
        BespokeRecipe { shape: self.shape, growth, draws: choices.recorded_draws().to_vec() }
    }

    /// Returns the recipe of the same case in canonical form: each draw reduced to its range, without trailing
    /// zeros.
    #[must_use]
    pub fn canonical_recipe(&self) -> BespokeRecipe {
        let mut choices = Choices::from_draws(self.draws.clone()).with_recording();
        (self.shape.make)(&mut choices, self.growth);
        let mut draws = choices.recorded_draws().to_vec();
        draws.truncate(draws.iter().rposition(|draw| *draw > 0).map_or(0, |last| last + 1));
        BespokeRecipe { shape: self.shape, growth: self.growth, draws }
    }

    /// Builds the input with only this case. Returns `None` if the format does not allow it.
    pub fn build_value(&self, format: &Format) -> Option<Value> {
        let text = (self.shape.make)(&mut Choices::from_draws(self.draws.clone()), self.growth);
        let value = read::read_input(format, text.as_bytes()).ok()?;
        validate::find_violation(format, &value).is_none().then_some(value)
    }
}

/// Maximum number of draws for one input of a requested shape while the format rejects its cases.
const MAX_DRAWS: u64 = 20_000_000;

/// Generates an input by a bespoke shape, if one is requested or is due by chance. If the shape breaks a
/// constraint, one that was due by chance leaves the input to the ordinary generator, and a requested one is
/// drawn again.
///
/// # Errors
/// Returns an error if the requested shape makes no input that the format allows.
pub(super) fn generate_bespoke(
    plan: &GenerationPlan<'_>,
    choices: &mut Choices,
    settings: &GenerationSettings,
) -> Result<Option<GeneratedValue>, GenerationError> {
    let Some(shape) = choose_shape(plan.format, choices, settings) else { return Ok(None) };
    let start = choices.draw_count();
    let mut refusal = match attempt_shape(plan, choices, settings, shape) {
        Ok(generated) => return Ok(Some(generated)),
        Err(refusal) => refusal,
    };
    if settings.shape.is_none() {
        return Ok(None);
    }
    while choices.draw_count() - start < MAX_DRAWS.min(settings.max_wasted_draws) {
        match attempt_shape(plan, choices, settings, shape) {
            Ok(generated) => return Ok(Some(generated)),
            Err(another) => refusal = another,
        }
    }
    Err(GenerationError {
        message: format!("the shape `{}` generated no valid input: {}", shape.name, refusal.message),
        ..refusal
    })
}

/// Returns the recipes of the cases that [`generate_value`](super::generate_value()) makes from the same
/// choices. The result is empty if it uses no bespoke shape.
pub fn record_recipes(
    plan: &GenerationPlan<'_>,
    choices: Choices,
    settings: &GenerationSettings,
) -> Vec<BespokeRecipe> {
    let mut choices = choices.with_recording();
    let Some(shape) = choose_shape(plan.format, &mut choices, settings) else { return Vec::new() };
    let growth = settings.growth;
    let one = |choices: &mut Choices| {
        let before = choices.recorded_draws().len();
        (shape.make)(choices, growth);
        BespokeRecipe { shape, growth, draws: choices.recorded_draws()[before..].to_vec() }
    };
    (0..choose_case_count(plan.format, &mut choices, settings)).map(|_| one(&mut choices)).collect()
}

/// Generates an input by this shape, or returns the reason why the format rejects it.
fn attempt_shape(
    plan: &GenerationPlan<'_>,
    choices: &mut Choices,
    settings: &GenerationSettings,
    shape: &ProblemShape,
) -> Result<GeneratedValue, GenerationError> {
    let format = plan.format;
    let mut cases: Vec<Value> = Vec::new();
    for _ in 0..choose_case_count(format, choices, settings) {
        let text = (shape.make)(choices, settings.growth);
        let foreign =
            |problem: Diagnostic| GenerationError { constraint: None, too_large: None, message: problem.message };
        cases.push(read::read_input(format, text.as_bytes()).map_err(foreign)?);
    }
    let of_shape = |value| GeneratedValue { value, shape: shape.name.to_owned() };
    let merged = merge_cases(format, &cases);
    if let Some(merged) = merged
        && validate::find_violation(format, &merged).is_none()
    {
        return Ok(of_shape(merged));
    }
    let first = cases.into_iter().next().ok_or_else(|| GenerationError {
        constraint: None,
        too_large: None,
        message: String::new(),
    })?;
    match validate::find_violation(format, &first) {
        None => Ok(of_shape(first)),
        Some(broken) => Err(GenerationError::for_broken_constraint(format, broken.constraint, broken.sides)),
    }
}

/// Chooses the number of cases to merge: within the format's range of case counts if a shape is requested.
fn choose_case_count(format: &Format, choices: &mut Choices, settings: &GenerationSettings) -> i128 {
    let most = (settings.max_cases as i128).min(3 + i128::from(settings.growth) / 4);
    let drawn = (1 + choices.draw_log_range(0, most)).min((settings.max_cases as i128).max(1));
    let range = format.case_count().filter(|_| settings.shape.is_some()).map(|count| format.field(count).range);
    range
        .filter(|range| !range.is_empty() && range.hi < MAX_DRAWN_CASES)
        .map_or(drawn, |range| drawn.clamp(range.lo, range.hi))
}

/// Maximum number of cases that are drawn one by one.
const MAX_DRAWN_CASES: i128 = 1_000_000;

fn choose_shape(
    format: &Format,
    choices: &mut Choices,
    settings: &GenerationSettings,
) -> Option<&'static ProblemShape> {
    if let Some(name) = &settings.shape {
        return PROBLEM_SHAPES.iter().find(|b| b.name == name);
    }
    if format.shapes.is_empty() || settings.extreme.is_some() {
        return None;
    }
    if !choices.draw_chance(BESPOKE_CHANCE.0, BESPOKE_CHANCE.1) {
        return None;
    }
    let known: Vec<&'static ProblemShape> =
        PROBLEM_SHAPES.iter().filter(|b| format.shapes.iter().any(|s| s == b.name || s == b.problem_id())).collect();
    choices.pick_item(&known).copied()
}

/// Merges the cases of several inputs into one. Returns `None` if the format has no cases that a single number
/// counts.
pub fn merge_cases(format: &Format, values: &[Value]) -> Option<Value> {
    let block = format.cases_block()?;
    let (cases, count) = (format.block(block), format.case_count()?);
    let mut merged = values.first()?.clone();
    let Value::Block(slots) = &mut merged else { return None };
    let all = values.iter().flat_map(|value| instances_in_holder(format, block, value.root_slots()));
    let list = InstanceList::from_instances(cases.slots, all.map(|case| case.iter().cloned()));
    slots[format.field(count).slot] = Value::Int(list.len() as i128);
    slots[cases.slot] = Value::Instances(list);
    Some(merged)
}
