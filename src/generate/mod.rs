//! Valid inputs from a format and a sequence of choices.
//!
//! An instance of a block is drawn in the order that leaves the fewest dead ends: single numbers, each within
//! what the numbers already drawn leave of its range; then arrays and texts, by named shapes; then the blocks
//! inside, which share the budgets (`sum(N) <= 300`). What can be met by construction is; the rest is checked at
//! the end and repaired by drawing again only what breaks it. Nothing loops for ever: after a fixed number of tries
//! the constraint that could not be met is reported by name.

mod arrays;
mod bespoke;
mod budget;
mod columns;
mod factors;
mod formulas;
mod graph;
mod growth;
mod habits;
mod instance;
mod lengths;
mod letters;
mod live;
mod many;
mod memo;
mod parents;
mod patterns;
mod plan;
mod repair;
mod seen;
mod straight;
mod texts;

pub use bespoke::{Recipe, merge, recipes};
pub use formulas::{Choose, settle_formulas};
pub use letters::settle_counts;
pub use live::smallest_size;
pub use plan::Plan;

use crate::diagnostic::Span;
use crate::format::{BlockId, Constraint, FieldId, Format, Interval, Rule, is_plain};
use crate::print::print;
use crate::read::read;
use crate::value::{Instances, Value};
use rebut_generators::{Choices, Swarm};

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
    /// All sizes at one end of their range.
    pub extreme: Option<Extreme>,
    /// About so many draws may be in vain before the input is given up.
    pub patience: u64,
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
            extreme: None,
            patience: 100_000_000,
        }
    }
}

/// No input of more elements is generated: it would not fit into memory, and no judge has such files.
const MOST_ELEMENTS: u128 = 100_000_000;

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
/// The constraint that could not be met within the allowed tries.
pub fn generate(plan: &Plan<'_>, choices: &mut Choices, settings: &Settings) -> Result<Generated, Failure> {
    generate_over(plan, choices, settings, &mut Scrap::default())
}

/// What is left of earlier inputs, for the next one to be made of: to take apart what a thousand cases are kept in, and to
/// put it together again, takes about as long as to draw them.
#[derive(Debug, Default)]
pub struct Scrap {
    list: Option<Instances>,
}

impl Scrap {
    /// Takes apart an input that nobody needs any more.
    pub fn add(&mut self, value: Value) {
        let Value::Block(slots) = value else { return };
        let mut lists =
            slots.into_iter().filter_map(|slot| if let Value::Instances(list) = slot { Some(list) } else { None });
        self.list = lists.next();
    }

    /// A list to be filled.
    fn list(&mut self, width: usize, count: usize) -> Instances {
        self.list.take().unwrap_or_else(|| Instances::new(width)).to_be_filled(width, count)
    }
}

/// Draws a valid input, the same as [`generate`] does, made of what is left of others where that helps.
///
/// # Errors
/// As [`generate`].
pub fn generate_over(
    plan: &Plan<'_>,
    choices: &mut Choices,
    settings: &Settings,
    scrap: &mut Scrap,
) -> Result<Generated, Failure> {
    if let Some(generated) = bespoke::generate(plan, choices, settings)? {
        return Ok(generated);
    }
    let swarm = Swarm::draw(choices).with_forced(settings.shape.as_deref());
    let (mut failure, mut wasted) = (None, 0);
    for attempt in 0..instance::MOST_TRIES {
        let settings = if attempt < EXTREME_TRIES { settings.clone() } else { settings.relaxed() };
        let mut maker = instance::Maker::new(plan, choices, &settings, &swarm);
        (maker.wasted, maker.scrap) = (wasted, std::mem::take(scrap));
        match maker.instance(BlockId(0), None, &[], settings.room(plan.format)) {
            Ok(slots) => match checked(plan.format, Value::Block(slots), maker.proved) {
                Ok(value) => return Ok(Generated { value, shape: maker.shape_name() }),
                Err(problem) => failure = Some(problem),
            },
            Err(problem) => failure = Some(problem),
        }
        wasted = maker.wasted;
        if wasted > settings.patience {
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
    lasting && constraint.home == BlockId(0)
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
