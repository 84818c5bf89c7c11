//! Valid inputs from a format and a sequence of choices.
//!
//! An instance of a block is drawn in the order that leaves the fewest dead ends: single numbers, each within
//! what the numbers already drawn leave of its range; then arrays and texts, by named shapes; then the blocks
//! inside, which share the budgets (`sum(N) <= 300`). What can be met by construction is; the rest is checked at
//! the end and repaired by drawing again only what breaks it. Nothing loops for ever: after a fixed number of tries
//! the constraint that could not be met is reported by name.

mod allocation;
mod arrays;
mod bespoke;
mod budget;
mod closest;
mod columns;
mod ends;
mod factors;
mod formulas;
mod graph;
mod growth;
mod habits;
mod instance;
mod law;
mod lengths;
mod letters;
mod live;
mod many;
mod memo;
mod occurrences;
mod parents;
mod patterns;
mod plan;
mod repair;
mod seen;
mod straight;
mod texts;

pub use bespoke::{Recipe, merge, recipes};
pub use closest::{Closest, find_closest};
pub use formulas::{Choose, settle_formulas};
pub use letters::settle_counts;
pub use live::smallest_size;
pub use plan::Plan;

use crate::diagnostic::Span;
use crate::format::{BlockId, Constraint, Expr, FieldId, Format, Interval, Rule, is_plain};
use crate::print::print;
use crate::read::read;
use crate::value::{Value, instances_in};
use rebut_generators::{Choices, Swarm};
use std::sync::Arc;
use straight::Written;

/// What kind of input is wanted.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How large: 0 is tiny, 100 reaches every bound.
    pub growth: u32,
    /// About how many numbers and characters an input, or each of its cases, may have at growth 100.
    pub most_elements: usize,
    /// How many test cases an input may have at most, where the format has cases.
    pub most_cases: usize,
    /// The shape that every array, text and board is to have.
    pub shape: Option<String>,
    /// Numbers worth trying: constants from the submissions' sources.
    pub hints: Vec<i128>,
    /// Words worth trying: of samples, and texts in the submissions' sources.
    pub words: Arc<[Vec<u8>]>,
    /// All sizes at one end of their range.
    pub extreme: Option<Extreme>,
    /// The part of what all cases share that is for the only case of an input: others join it later.
    pub portion: Option<Portion>,
    /// About so many draws may be in vain before the input is given up.
    pub patience: u64,
}

/// The part of a case in what several cases share, before they are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    /// Number of cases.
    pub cases: u32,
    /// The part of what the smallest cases would leave over, in 2^-32.
    pub of_rest: u64,
    /// Whether the case is as large as this and its growth allow.
    pub is_filled: bool,
}

impl Portion {
    /// Returns the most that the case may contribute to a total, if each contributes at least `least`.
    fn most(&self, least: i128, total: i128) -> i128 {
        let rest = total.saturating_sub(least.saturating_mul(i128::from(self.cases))).max(0);
        let (whole, cut_off) = (rest >> 32, rest & i128::from(u32::MAX));
        let part = i128::from(self.of_rest);
        least.saturating_add(whole.saturating_mul(part)).saturating_add((cut_off * part) >> 32)
    }
}

/// Inputs at one end of what the format allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The smallest sizes.
    Min,
    /// The largest sizes.
    Max,
}

impl Extreme {
    /// The end of a range.
    fn end_of(self, range: Interval) -> i128 {
        match self {
            Extreme::Min => range.lo,
            Extreme::Max => range.hi,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            growth: 100,
            most_elements: 1_000_000,
            most_cases: usize::MAX,
            shape: None,
            hints: Vec::new(),
            words: Arc::default(),
            extreme: None,
            portion: None,
            patience: 100_000_000,
        }
    }
}

/// Why no input could be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The place of the constraint that could not be met, if one is to blame.
    pub constraint: Option<Span>,
    /// In words, with the nearest that was found.
    pub message: String,
}

impl Failure {
    /// The failure as a message about the format's text.
    pub fn diagnostic(&self) -> crate::diagnostic::Diagnostic {
        crate::diagnostic::Diagnostic::error(
            "cannot-generate",
            self.constraint.unwrap_or_default(),
            "no input could be found that satisfies this",
        )
        .caret(self.message.clone())
        .note("the constraints may contradict each other, or leave so few inputs that random search misses them")
    }
}

/// One input, and the name of the shape it was made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The input.
    pub value: Value,
    /// The habit that formed it, as reports name it.
    pub shape: String,
}

/// Draws a valid input.
///
/// # Errors
/// The constraint that could not be met within the allowed tries, or before the format's token stopped the work.
pub fn generate(plan: &Plan<'_>, choices: &mut Choices, settings: &Settings) -> Result<Generated, Failure> {
    draw(plan, choices, settings, &mut Scrap::default(), false).map(|(made, _)| made)
}

/// What is left of earlier inputs, for the next one to be made of: to take apart what a thousand cases are kept in, and to
/// put it together again, takes about as long as to draw them.
#[derive(Debug, Default)]
pub struct Scrap {
    slots: Vec<Value>,
    /// How many bytes were written last.
    bytes: usize,
}

impl Scrap {
    /// Takes apart an input that nobody needs any more.
    pub fn add(&mut self, value: Value) {
        let Value::Block(slots) = value else { return };
        let lists = slots.into_iter().filter_map(|slot| match slot {
            Value::Instances(list) => Some(list.into_slots()),
            _ => None,
        });
        // A long list is worth more than a short one.
        if let Some(slots) = lists.max_by_key(Vec::len).filter(|slots| slots.len() > self.slots.len()) {
            self.slots = slots;
        }
    }

    /// So many slots with anything in them.
    fn slots(&mut self, count: usize) -> Vec<Value> {
        let is_much_shorter = count < self.slots.len() / 2;
        let mut slots = if is_much_shorter { Vec::new() } else { std::mem::take(&mut self.slots) };
        slots.resize(count, Value::Int(0));
        slots
    }
}

/// An input as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The file.
    pub bytes: Vec<u8>,
    /// How many test cases it has: one, unless the format has `cases`.
    pub cases: usize,
    /// The habit that formed it, as reports name it.
    pub shape: String,
}

/// Draws a valid input and prints it: the same bytes as those of what [`generate`] makes, but of a long list no value is made.
///
/// # Errors
/// As [`generate`].
pub fn generate_printed(
    plan: &Plan<'_>,
    choices: &mut Choices,
    settings: &Settings,
    scrap: &mut Scrap,
) -> Result<Printed, Failure> {
    let (made, written) = draw(plan, choices, settings, scrap, plan.lines().is_some())?;
    let mut bytes = print(plan.format, &made.value);
    let written = written.as_ref().zip(plan.lines());
    if let Some((written, _)) = written {
        bytes.extend_from_slice(&written.bytes);
    }
    let cases = plan.format.cases().map_or(1, |cases| match written {
        Some((written, lines)) if lines.block == cases => written.count,
        _ => instances_in(plan.format, cases, made.value.slots()).len(),
    });
    scrap.add(made.value);
    Ok(Printed { bytes, cases, shape: made.shape })
}

/// Draws an input. If its last list may be written, and is, what is written comes with it; if it turns out that it should
/// not have been, the input is drawn once more.
fn draw(
    plan: &Plan<'_>,
    choices: &mut Choices,
    settings: &Settings,
    scrap: &mut Scrap,
    writes: bool,
) -> Result<(Generated, Option<Written>), Failure> {
    let begun = writes.then(|| choices.clone());
    if let Some(generated) = bespoke::generate(plan, choices, settings)? {
        return Ok((generated, None));
    }
    let mut swarm = Swarm::new().with_forced(settings.shape.as_deref());
    let (mut failure, mut wasted) = (None, 0);
    for attempt in 0..instance::MOST_TRIES {
        let wanted = if attempt < EXTREME_TRIES { settings.clone() } else { settings.relaxed() };
        let mut maker = instance::Maker::new(plan, choices, &wanted, &mut swarm);
        (maker.wasted, maker.scrap, maker.writes) = (wasted, std::mem::take(scrap), writes);
        let made = maker.instance(BlockId(0), None, &[], wanted.room(plan.format));
        *scrap = std::mem::take(&mut maker.scrap);
        if let (true, Some(begun)) = (maker.is_outdated, &begun) {
            *choices = begun.clone();
            return draw(plan, choices, settings, scrap, false);
        }
        match made.and_then(|slots| checked(plan.format, Value::Block(slots), maker.proved)) {
            Ok(value) => return Ok((Generated { value, shape: maker.shape_name() }, maker.written)),
            // What is to blame is kept: the last attempt may only have been stopped.
            Err(problem) if problem.constraint.is_some() || failure.is_none() => failure = Some(problem),
            Err(_) => {}
        }
        wasted = maker.wasted;
        if wasted > settings.patience || plan.format.stop.is_stopped() {
            break;
        }
    }
    Err(failure.unwrap_or(Failure { constraint: None, message: "no valid input found".to_owned() }))
}

/// The value as it is read, if it is valid; what is said of each instance of one block may be `proved` already.
fn checked(format: &Format, value: Value, proved: Option<BlockId>) -> Result<Value, Failure> {
    let known = |constraint: &Constraint| repaired(constraint) || proved == Some(constraint.home);
    if let Some(broken) = crate::validate::violation_besides(format, &value, &known) {
        return Err(Failure::broken(format, broken.constraint, broken.sides));
    }
    debug_assert!(proved.is_none() || crate::validate::violation(format, &value).is_none(), "{value:?} is not valid");
    let another = || Failure { constraint: None, message: "it reads as another input".to_owned() };
    as_read(format, value).ok_or_else(another)
}

/// Whether a constraint holds because the repair of the whole input, which came last, has just looked. What has no value
/// passes there, so comparisons do not count; what takes the most time does.
fn repaired(constraint: &Constraint) -> bool {
    let lasting = matches!(constraint.rule, Rule::Distinct(..) | Rule::Graph(_) | Rule::DistinctTexts(..));
    // An element may be one that is not there, which is no fault while an input is made.
    let has_value = !constraint.rule.exprs().into_iter().any(Expr::has_element);
    lasting && has_value && constraint.home == BlockId(0)
}

/// The value as it is read: where two alternatives look alike, the reader takes the first.
fn as_read(format: &Format, value: Value) -> Option<Value> {
    if is_plain(format) {
        return Some(value);
    }
    let again = read(format, &print(format, &value)).ok()?;
    (again == value || crate::validate::violation(format, &again).is_none()).then_some(again)
}

/// So often every size is tried at its very end. If the constraints forbid that, the nearest ordinary input has to do.
const EXTREME_TRIES: usize = 3;

impl Failure {
    fn nothing_left(format: &Format, field: FieldId, constraint: Option<usize>) -> Failure {
        let name = &format.field(field).name;
        Failure {
            constraint: constraint.map(|c| format.constraints[c].span),
            message: format!("no value is left for `{name}`"),
        }
    }

    /// The failure of work that was stopped from outside.
    fn stopped() -> Failure {
        Failure { constraint: None, message: "it was stopped".to_owned() }
    }

    fn no_size(format: &Format, field: FieldId) -> Failure {
        let name = &format.field(field).name;
        Failure { constraint: None, message: format!("the size of `{name}` has no value") }
    }

    fn broken(format: &Format, constraint: usize, sides: String) -> Failure {
        Failure { constraint: Some(format.constraints[constraint].span), message: format!("nearest found: {sides}") }
    }
}

impl Settings {
    /// Without an extreme: tiny in place of the smallest, of full growth in place of the largest.
    fn relaxed(&self) -> Settings {
        let growth = if self.extreme == Some(Extreme::Min) { 0 } else { self.growth };
        Settings { extreme: None, growth, ..self.clone() }
    }

    /// How many elements the whole input may have: where it has cases, many small ones are packed into one file. To
    /// start a program costs as much as to run it on hundreds of them.
    fn room(&self, format: &Format) -> usize {
        const PACK: usize = 20_000;
        let wanted = self.elements_wanted();
        if format.cases().is_some() && self.most_cases > 1 { wanted.max(PACK) } else { wanted }
    }

    /// The number of elements to aim at in an input, or in each of its cases: it grows geometrically with `growth`.
    fn elements_wanted(&self) -> usize {
        const TINY: f64 = 12.0;
        if self.extreme.is_some() {
            return usize::MAX;
        }
        growth::between(TINY, self.most_elements as f64, self.growth) as usize
    }
}

#[cfg(test)]
mod tests;
