//! Shapes made for one problem: they know what no format can say.

use super::{Failure, Generated, Plan, Settings};
use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::read;
use crate::validate;
use crate::value::{Instances, Value, instances_in};
use rebut_generators::{BESPOKE, Bespoke, Choices};

/// One input in three comes from a bespoke shape where the format names some.
const SHARE: (u32, u32) = (1, 3);

/// How a bespoke shape made one case, so that it can be made again, and a little differently.
#[derive(Clone, Debug)]
pub struct Recipe {
    shape: &'static Bespoke,
    /// How large the case was meant to be, from 0 to 100.
    pub growth: u32,
    /// What was drawn. Any numbers will do, and a zero is always the simplest.
    pub draws: Vec<u64>,
}

impl Recipe {
    /// Another case of the same shape: the one of that number, of a growth of its own.
    #[must_use]
    pub fn sibling(&self, growth: u32, number: u64) -> Recipe {
        /// A seed that no search has by chance.
        const SEED: u64 = 0x5161_6c69_6e67;
        let mut choices = Choices::fresh(SEED, number).recording();
        (self.shape.make)(&mut choices, growth);
        Recipe { shape: self.shape, growth, draws: choices.recorded().to_vec() }
    }

    /// The same case by the draws that it takes: none larger than it may be, and none at the end that is zero anyway.
    #[must_use]
    pub fn settled(&self) -> Recipe {
        let mut choices = Choices::replay(self.draws.clone()).recording();
        (self.shape.make)(&mut choices, self.growth);
        let mut draws = choices.recorded().to_vec();
        draws.truncate(draws.iter().rposition(|draw| *draw > 0).map_or(0, |last| last + 1));
        Recipe { shape: self.shape, growth: self.growth, draws }
    }

    /// The input with this case alone; none if the format does not allow it.
    pub fn make(&self, format: &Format) -> Option<Value> {
        let text = (self.shape.make)(&mut Choices::replay(self.draws.clone()), self.growth);
        let value = read::read(format, text.as_bytes()).ok()?;
        validate::violation(format, &value).is_none().then_some(value)
    }
}

/// So much is drawn for one input of a shape that is asked for, while the constraints refuse what comes.
const DRAWS: u64 = 20_000_000;

/// An input by a bespoke shape, if one is asked for or falls due. One that falls due and breaks a constraint is left to the
/// others; one that is asked for is drawn again.
///
/// # Errors
/// If the shape that is asked for makes nothing that the format allows.
pub(super) fn generate(
    plan: &Plan<'_>,
    choices: &mut Choices,
    settings: &Settings,
) -> Result<Option<Generated>, Failure> {
    let Some(shape) = choose(plan.format, choices, settings) else { return Ok(None) };
    let begun = choices.count();
    let mut refusal = match attempt(plan, choices, settings, shape) {
        Ok(generated) => return Ok(Some(generated)),
        Err(refusal) => refusal,
    };
    if settings.shape.is_none() {
        return Ok(None);
    }
    while choices.count() - begun < DRAWS.min(settings.patience) {
        match attempt(plan, choices, settings, shape) {
            Ok(generated) => return Ok(Some(generated)),
            Err(another) => refusal = another,
        }
    }
    Err(Failure { message: format!("the shape `{}` made nothing else: {}", shape.name, refusal.message), ..refusal })
}

/// The recipes of the cases that [`generate`](super::generate()) makes of the same choices; none where it makes them
/// without a bespoke shape.
pub fn recipes(plan: &Plan<'_>, choices: Choices, settings: &Settings) -> Vec<Recipe> {
    let mut choices = choices.recording();
    let Some(shape) = choose(plan.format, &mut choices, settings) else { return Vec::new() };
    let growth = settings.growth;
    let one = |choices: &mut Choices| {
        let before = choices.recorded().len();
        (shape.make)(choices, growth);
        Recipe { shape, growth, draws: choices.recorded()[before..].to_vec() }
    };
    (0..wanted(plan.format, &mut choices, settings)).map(|_| one(&mut choices)).collect()
}

/// An input by this shape, or why the format refuses it.
fn attempt(plan: &Plan<'_>, choices: &mut Choices, settings: &Settings, shape: &Bespoke) -> Result<Generated, Failure> {
    let format = plan.format;
    let mut cases: Vec<Value> = Vec::new();
    for _ in 0..wanted(format, choices, settings) {
        let text = (shape.make)(choices, settings.growth);
        let foreign = |problem: Diagnostic| Failure { constraint: None, message: problem.message };
        cases.push(read::read(format, text.as_bytes()).map_err(foreign)?);
    }
    let of_shape = |value| Generated { value, shape: shape.name.to_owned() };
    let merged = merge(format, &cases);
    if let Some(merged) = merged
        && validate::violation(format, &merged).is_none()
    {
        return Ok(of_shape(merged));
    }
    let first = cases.into_iter().next().ok_or_else(|| Failure { constraint: None, message: String::new() })?;
    match validate::violation(format, &first) {
        None => Ok(of_shape(first)),
        Some(broken) => Err(Failure::broken(format, broken.constraint, broken.sides)),
    }
}

/// How many cases are put together: as many as the format asks for, if it asks for a certain number.
fn wanted(format: &Format, choices: &mut Choices, settings: &Settings) -> i128 {
    let most = (settings.most_cases as i128).min(3 + i128::from(settings.growth) / 4);
    let drawn = (1 + choices.log_range(0, most)).min((settings.most_cases as i128).max(1));
    let range = format.case_count().filter(|_| settings.shape.is_some()).map(|count| format.field(count).range);
    range
        .filter(|range| !range.is_empty() && range.hi < MOST_CASES)
        .map_or(drawn, |range| drawn.clamp(range.lo, range.hi))
}

/// No file of more cases is made by drawing one after the other.
const MOST_CASES: i128 = 1_000_000;

fn choose(format: &Format, choices: &mut Choices, settings: &Settings) -> Option<&'static Bespoke> {
    if let Some(name) = &settings.shape {
        return BESPOKE.iter().find(|b| b.name == name);
    }
    if format.shapes.is_empty() || settings.extreme.is_some() {
        return None;
    }
    if !choices.chance(SHARE.0, SHARE.1) {
        return None;
    }
    let known: Vec<&'static Bespoke> =
        BESPOKE.iter().filter(|b| format.shapes.iter().any(|s| s == b.name || s == b.problem())).collect();
    choices.pick(&known).copied()
}

/// One input with the cases of several; none if the format has no cases that a single number counts.
pub fn merge(format: &Format, values: &[Value]) -> Option<Value> {
    let block = format.cases()?;
    let (cases, count) = (format.block(block), format.case_count()?);
    let mut merged = values.first()?.clone();
    let Value::Block(slots) = &mut merged else { return None };
    let all = values.iter().flat_map(|value| instances_in(format, block, value.slots()));
    let list = Instances::of(cases.slots, all.map(|case| case.iter().cloned()));
    slots[format.field(count).slot] = Value::Int(list.len() as i128);
    slots[cases.slot] = Value::Instances(list);
    Some(merged)
}
