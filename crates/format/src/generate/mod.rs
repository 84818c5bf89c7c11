//! Generation of valid inputs from a format and a sequence of random choices.
//!
//! [`generate_value`] draws a [`Value`] for a [`GenerationPlan`]; [`generate_printed`]
//! draws the same input as bytes.
//!
//! An instance of a block is drawn in the order that leaves the fewest dead ends: first single numbers, each
//! within the part of its range that the numbers already drawn leave; then arrays and texts, by named shapes;
//! then the blocks inside, which share the budgets (`sum(N) <= 300`). Constraints are met by construction where
//! possible. The others are checked at the end, and only the fields that break them are redrawn. Every loop has
//! a fixed limit: when it is reached, the constraint that could not be met is reported.
//!
//! ```
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//! use rebut_format::generate::{GenerationPlan, GenerationSettings, generate_value};
//! use rebut_format::validate::find_violation;
//! use rebut_generators::Choices;
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 8; 0 <= a <= 9; sum(a) = 9");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let plan = GenerationPlan::new(&format);
//! let mut choices = Choices::from_seed(1, 0);
//! let input = generate_value(&plan, &mut choices, &GenerationSettings::default()).expect("a valid input");
//! assert_eq!(find_violation(&format, &input.value), None);
//! ```

mod aggregate_repair;
mod alphabet;
mod arrays;
mod budget;
mod budget_shares;
mod column_block;
mod columns;
mod compiled;
mod counted_slice;
mod disjoint;
mod distinct_rows;
mod distribution;
mod draft;
mod formulas;
mod instance;
mod instance_list;
mod lanes;
mod letter_counts;
mod number_filter;
mod numbers;
mod occurrences;
mod partial_graphs;
mod partial_ranges;
mod patterns;
mod plan;
mod planning;
mod products;
mod relations;
mod scoped_draft;
mod sizes;
mod step_formulas;
mod steps;
mod strategies;
mod strategy_cache;
#[cfg(test)]
mod tests;
mod value_counts;

use crate::language::{BlockId, Constraint, Expr, FieldId, Format, Interval, is_unambiguous};
use crate::print::print_value;
use crate::read::read_input;
use crate::value::{Value, instances_in_holder};
pub use formulas::{ChooseNumber, repair_formulas};
use instance::WrittenList;
pub use letter_counts::repair_text_counts;
pub use partial_ranges::min_input_elements;
pub use patterns::repair_text_properties;
pub use plan::{GenerationPlan, merge_cases};
use rebut_diagnostics::Span;
use rebut_generators::{Choices, Swarm};
pub use sizes::{SizeBelowMax, sizes_below_max};
use std::sync::Arc;
pub use strategies::{NearMiss, find_near_miss};

/// The kind of input to generate: its size, shape and dictionaries.
#[derive(Clone, Debug)]
pub struct GenerationSettings {
    /// Size of the input: 0 is tiny, 100 reaches every bound.
    pub growth: u32,
    /// Growth of the ranges of numbers, if it is not that of the sizes.
    pub number_growth: Option<u32>,
    /// Approximate number of numbers and characters of an input, or of each of its cases, at growth 100.
    pub max_elements: usize,
    /// Maximum number of test cases in an input, where the format has cases.
    pub max_cases: usize,
    /// The shape that every array, text and board should have.
    pub shape: Option<String>,
    /// If set, and if no shape is, all parts have shapes that are worst cases of algorithms: those with this number, in turn.
    pub worst_case: Option<usize>,
    /// If set, the numbers of an input of the largest sizes are largest, smallest or free, column by column: in another way
    /// for each of these numbers.
    pub sweep: Option<u32>,
    /// Dictionary of numbers: constants from the submissions' sources.
    pub hints: Arc<[i128]>,
    /// Letters that texts consist of, where their alphabet has any of them.
    pub letters: Arc<[u8]>,
    /// Dictionary of words: those of the samples, and the texts in the submissions' sources.
    pub dictionary: Arc<[Vec<u8>]>,
    /// Pairs of texts with the same hash: a submission that compares texts by its hash takes them for equal.
    pub colliding_texts: Arc<[[Vec<u8>; 2]]>,
    /// If set, every size is at this end of its range.
    pub extreme: Option<Extreme>,
    /// The part of their ranges that numbers are drawn from.
    pub numbers: NumberRanges,
    /// Whether some parts of the input are copied from others, or computed from them.
    pub relates_parts: bool,
    /// The share of the common budgets that is left to the only case of this input; other cases join it later.
    pub case_share: Option<CaseShare>,
    /// Approximate number of wasted draws after which the input is given up.
    pub max_wasted_draws: u64,
}

/// The share that one of several cases has in the budgets of all, if the cases are drawn one by one and merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseShare {
    /// Number of cases.
    pub case_count: u32,
    /// The share of the budget that remains if every case has its minimum, in units of 2^-32.
    pub share_of_rest: u64,
    /// Whether the case is as large as this share and its growth allow.
    pub is_filled: bool,
}

impl CaseShare {
    /// Returns the largest contribution of the case to a total, if each case contributes at least `least`.
    fn max_contribution(&self, least: i128, total: i128) -> i128 {
        let rest = total.saturating_sub(least.saturating_mul(i128::from(self.case_count))).max(0);
        // `rest * share_of_rest / 2^32`, without overflow.
        let (whole, cut_off) = (rest >> 32, rest & i128::from(u32::MAX));
        let part = i128::from(self.share_of_rest);
        least.saturating_add(whole.saturating_mul(part)).saturating_add((cut_off * part) >> 32)
    }
}

/// The part of their ranges that the numbers of an input are drawn from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NumberRanges {
    /// A part around the simplest number that grows with the input. One number or array in four has its whole range.
    #[default]
    Growing,
    /// Numbers at most this far from the simplest one, or next to another number, and texts of few letters.
    Near(i128),
    /// Numbers near the simplest one, each number or array by a distance of its own up to this one, of any order of
    /// magnitude: some are tiny, and others moderately small.
    NearEach(i128),
    /// Every one of so many numbers next to the simplest one is equally likely, in all parts of the input, and so is every one of
    /// a few letters of texts. Sizes are tiny, and nothing has a shape.
    Plain {
        /// Number of numbers.
        values: i128,
        /// Number of letters.
        letters: usize,
    },
    /// Single numbers near the ends and the middle of their whole range.
    Extreme,
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
    fn end_of_range(self, range: Interval) -> i128 {
        match self {
            Extreme::Min => range.lo,
            Extreme::Max => range.hi,
        }
    }
}

impl Default for GenerationSettings {
    fn default() -> Self {
        GenerationSettings {
            growth: 100,
            number_growth: None,
            max_elements: 1_000_000,
            max_cases: usize::MAX,
            shape: None,
            worst_case: None,
            sweep: None,
            hints: Arc::default(),
            letters: Arc::default(),
            dictionary: Arc::default(),
            colliding_texts: Arc::default(),
            extreme: None,
            numbers: NumberRanges::Growing,
            relates_parts: false,
            case_share: None,
            max_wasted_draws: 100_000_000,
        }
    }
}

/// The reason why no input could be generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenerationError {
    /// The location of the constraint that could not be met, if a constraint is the cause.
    pub constraint: Option<Span>,
    /// The location of the field or block that alone would take more memory than an input may, at the size that was
    /// drawn for it.
    pub too_large: Option<Span>,
    /// The reason, with the nearest values that were found.
    pub message: String,
}

impl std::fmt::Display for GenerationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no input could be found: {}", self.message)
    }
}

impl std::error::Error for GenerationError {}

impl GenerationError {
    /// Returns the error as a diagnostic of the format file.
    pub fn to_diagnostic(&self) -> rebut_diagnostics::Diagnostic {
        if let Some(place) = self.too_large {
            return rebut_diagnostics::Diagnostic::error(
                "too-large-to-generate",
                place,
                "this is too large to be generated",
            )
            .with_caret(self.message.clone())
            .with_note("`--let` and `--where` state a smaller bound");
        }
        rebut_diagnostics::Diagnostic::error(
            "cannot-generate",
            self.constraint.unwrap_or_default(),
            "no input could be found that satisfies this",
        )
        .with_caret(self.message.clone())
        .with_note("the constraints may contradict each other, or leave so few inputs that random search misses them")
    }
}

/// A generated input, and the name of the shape that formed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedValue {
    /// The input.
    pub value: Value,
    /// The shape that formed it, as reports name it.
    pub shape: String,
}

/// Draws a valid input.
///
/// # Errors
/// Returns an error if a constraint could not be met within the limit of tries, or if the format's stop token
/// fired.
pub fn generate_value(
    plan: &GenerationPlan<'_>,
    choices: &mut Choices,
    settings: &GenerationSettings,
) -> Result<GeneratedValue, GenerationError> {
    draw_input(plan, choices, settings, &mut ScratchBuffers::default(), false).map(|(generated, _)| generated)
}

/// Allocations of earlier inputs, reused by the next one: freeing and allocating the slots of a thousand cases
/// takes about as long as drawing them.
#[derive(Debug, Default)]
pub struct ScratchBuffers {
    slots: Vec<Value>,
    /// Length of the last input that was written as bytes.
    last_byte_count: usize,
}

impl ScratchBuffers {
    /// Keeps the allocations of an input that is no longer needed.
    pub fn recycle_value(&mut self, value: Value) {
        let Value::Block(slots) = value else { return };
        let lists = slots.into_iter().filter_map(|slot| match slot {
            Value::Instances(list) => Some(list.into_slots()),
            _ => None,
        });
        // Only the longest list is kept.
        if let Some(slots) = lists.max_by_key(Vec::len).filter(|slots| slots.len() > self.slots.len()) {
            self.slots = slots;
        }
    }

    /// Returns `count` slots with arbitrary contents.
    fn take_slots(&mut self, count: usize) -> Vec<Value> {
        let is_much_shorter = count < self.slots.len() / 2;
        // A far too large allocation would only waste memory.
        let mut slots = if is_much_shorter { Vec::new() } else { std::mem::take(&mut self.slots) };
        slots.resize(count, Value::Int(0));
        slots
    }
}

/// An input as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedInput {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// Number of test cases: 1 unless the format has `cases`.
    pub case_count: usize,
    /// The shape that formed it, as reports name it.
    pub shape: String,
}

/// Draws a valid input and prints it. The bytes are those of the printed value of [`generate_value`], but no
/// value is built for a long list that a line program can write.
///
/// # Errors
/// Returns an error in the same cases as [`generate_value`].
pub fn generate_printed(
    plan: &GenerationPlan<'_>,
    choices: &mut Choices,
    settings: &GenerationSettings,
    scratch: &mut ScratchBuffers,
) -> Result<PrintedInput, GenerationError> {
    // Lists that were written as bytes cannot be changed any more.
    let writes = plan.line_program().is_some() && !settings.relates_parts;
    let (generated, written) = draw_input(plan, choices, settings, scratch, writes)?;
    let mut bytes = print_value(plan.format, &generated.value);
    let written = written.as_ref().zip(plan.line_program());
    if let Some((written, _)) = written {
        bytes.extend_from_slice(&written.bytes);
    }
    let cases = plan.format.cases_block().map_or(1, |cases| match written {
        Some((written, lines)) if lines.block == cases => written.count,
        _ => instances_in_holder(plan.format, cases, generated.value.root_slots()).len(),
    });
    scratch.recycle_value(generated.value);
    Ok(PrintedInput { bytes, case_count: cases, shape: generated.shape })
}

/// Draws an input. If `writes` is set and its last list has a line program, the list is returned as bytes
/// instead of being part of the value. If a number around that list moves afterwards, the bytes are outdated,
/// and the whole input is drawn again from the same choices without writing.
fn draw_input(
    plan: &GenerationPlan<'_>,
    choices: &mut Choices,
    settings: &GenerationSettings,
    scratch: &mut ScratchBuffers,
    writes: bool,
) -> Result<(GeneratedValue, Option<WrittenList>), GenerationError> {
    let initial_choices = writes.then(|| choices.clone());
    let worst_cases = settings.worst_case.map_or_else(Swarm::new, Swarm::with_worst_cases);
    let mut swarm = worst_cases.with_forced_shape(settings.forced_shape());
    let (mut failure, mut wasted) = (None, 0);
    for attempt in 0..draft::MAX_TRIES {
        if attempt == MAX_EXTREME_TRIES
            && settings.extreme == Some(Extreme::Max)
            && let Some(found) = sizes::draw_largest_valid(plan, choices, settings, &mut swarm, &mut wasted)
        {
            return Ok((with_relations(plan, found, choices, settings), None));
        }
        // After a few attempts at the exact extremes, ordinary sizes and numbers are good enough.
        let ordinary = (attempt >= MAX_EXTREME_TRIES).then(|| settings.without_extreme());
        let wanted = ordinary.as_ref().unwrap_or(settings);
        let mut generator = instance::InstanceGenerator::new(plan, choices, wanted, &mut swarm);
        (generator.wasted_draws, generator.spent_draws) = (wasted, wasted);
        (generator.scratch, generator.may_write) = (std::mem::take(scratch), writes);
        let slots = generator.draw_instance(BlockId(0), None, &[], wanted.size_budget(plan.format));
        *scratch = std::mem::take(&mut generator.scratch);
        if let (true, Some(initial_choices)) = (generator.is_written_outdated, &initial_choices) {
            *choices = initial_choices.clone();
            return draw_input(plan, choices, settings, scratch, false);
        }
        match slots.and_then(|slots| check_value(plan.format, Value::Block(slots), generator.proved_block)) {
            Ok(value) => {
                let (generated, written) = (GeneratedValue { value, shape: generator.shape_name() }, generator.written);
                return Ok((with_relations(plan, generated, choices, settings), written));
            }
            // An ordinary size would pass for the largest one.
            Err(problem) if problem.too_large.is_some() && wanted.extreme == Some(Extreme::Max) => return Err(problem),
            // Keep an error that names a constraint: the last attempt may only have been stopped.
            Err(problem) if problem.constraint.is_some() || failure.is_none() => failure = Some(problem),
            Err(_) => {}
        }
        wasted = generator.wasted_draws;
        if wasted > settings.max_wasted_draws || plan.format.stop_token.is_stopped() {
            break;
        }
    }
    Err(failure.unwrap_or(GenerationError::with_message("no valid input found")))
}

/// Relates parts of an input, if the settings ask for it and it is possible.
fn with_relations(
    plan: &GenerationPlan<'_>,
    mut generated: GeneratedValue,
    choices: &mut Choices,
    settings: &GenerationSettings,
) -> GeneratedValue {
    if settings.relates_parts
        && let Some(relation) = relations::relate_parts(plan, &mut generated.value, choices, &settings.colliding_texts)
    {
        relation.clone_into(&mut generated.shape);
    }
    generated
}

/// Returns the value as the reader reads it, if it is valid. Constraints of each instance of the block `proved`
/// are known to hold.
fn check_value(format: &Format, value: Value, proved: Option<BlockId>) -> Result<Value, GenerationError> {
    let known = |constraint: &Constraint| is_settled_by_redraw(constraint) || proved == Some(constraint.home_block);
    if let Some(broken) = crate::validate::find_violation_except(format, &value, &known) {
        return Err(GenerationError::for_broken_constraint(format, broken.constraint, broken.sides));
    }
    debug_assert!(
        proved.is_none() || crate::validate::find_violation(format, &value).is_none(),
        "{value:?} is not valid"
    );
    let another = || GenerationError::with_message("it reads as another input");
    reread_value(format, value).ok_or_else(another)
}

/// Returns true if a constraint was checked by the final redraw of the whole input, so that it need not be
/// checked again. The redraw lets expressions without a value pass, so comparisons are checked again; the
/// expensive rules are not.
fn is_settled_by_redraw(constraint: &Constraint) -> bool {
    // An index out of bounds is no violation while an input is being drawn.
    let has_value = || !constraint.rule.expressions().into_iter().any(Expr::contains_element);
    constraint.home_block == BlockId(0) && constraint.rule.kind().is_costly() && has_value()
}

/// Returns the value as the reader reads it: of two alternatives that look alike, the reader takes the first.
fn reread_value(format: &Format, value: Value) -> Option<Value> {
    if is_unambiguous(format) {
        return Some(value);
    }
    let again = read_input(format, &print_value(format, &value)).ok()?;
    (again == value || crate::validate::find_violation(format, &again).is_none()).then_some(again)
}

/// The shapes of what is free in a sweep of the largest inputs, in turn. In a tree, a band is a path; among many edges, its ways are still long.
const SWEPT_SHAPES: [&str; 4] = [
    "numbers/uniform+graphs/band",
    "numbers/uniform+graphs/star",
    "numbers/permutation+graphs/uniform",
    "numbers/sorted+graphs/path",
];

/// Number of attempts with every size at its very end. If the constraints forbid that, nearly the largest input is
/// searched for, or an ordinary one is used.
const MAX_EXTREME_TRIES: usize = 3;

impl GenerationError {
    /// Returns an error that no constraint is the cause of.
    fn with_message(message: impl Into<String>) -> GenerationError {
        GenerationError { constraint: None, too_large: None, message: message.into() }
    }

    fn for_empty_range(format: &Format, field: FieldId, constraint: Option<usize>) -> GenerationError {
        let name = &format.field(field).name;
        let constraint = constraint.map(|c| format.constraints[c].span);
        GenerationError { constraint, ..GenerationError::with_message(format!("no value is left for `{name}`")) }
    }

    /// The error of generation that was stopped from outside.
    fn for_stop() -> GenerationError {
        GenerationError::with_message("it was stopped")
    }

    fn for_missing_size(format: &Format, field: FieldId) -> GenerationError {
        let name = &format.field(field).name;
        GenerationError::with_message(format!("the size of `{name}` has no value"))
    }

    fn for_broken_constraint(format: &Format, constraint: usize, sides: String) -> GenerationError {
        let constraint = Some(format.constraints[constraint].span);
        GenerationError { constraint, ..GenerationError::with_message(format!("nearest found: {sides}")) }
    }
}

impl GenerationSettings {
    /// Returns the settings without an extreme and without limits on numbers: tiny sizes in place of the smallest, full
    /// growth in place of the largest.
    fn without_extreme(&self) -> GenerationSettings {
        let growth = if self.extreme == Some(Extreme::Min) { 0 } else { self.growth };
        GenerationSettings { extreme: None, numbers: NumberRanges::Growing, growth, sweep: None, ..self.clone() }
    }

    /// Returns the shape that all parts have.
    fn forced_shape(&self) -> Option<&str> {
        let is_plain = matches!(self.numbers, NumberRanges::Plain { .. });
        let swept = self.sweep.map(|number| SWEPT_SHAPES[number as usize % SWEPT_SHAPES.len()]);
        self.shape.as_deref().or(is_plain.then_some("uniform")).or(swept)
    }

    /// Returns the growth of the ranges of numbers.
    #[inline]
    fn growth_of_numbers(&self) -> u32 {
        self.number_growth.unwrap_or(self.growth)
    }

    /// Returns the size budget of the whole input, in elements. Where it has cases, many small ones are packed
    /// into one file: starting a program costs as much as running it on hundreds of them.
    fn size_budget(&self, format: &Format) -> usize {
        const MIN_PACKED_ELEMENTS: usize = 20_000;
        let wanted = self.target_elements();
        if format.cases_block().is_some() && self.max_cases > 1 { wanted.max(MIN_PACKED_ELEMENTS) } else { wanted }
    }

    /// Returns the number of elements to aim at in an input, or in each of its cases. It grows geometrically
    /// with `growth`.
    fn target_elements(&self) -> usize {
        const MIN_TARGET_ELEMENTS: f64 = 12.0;
        if self.extreme.is_some() {
            return usize::MAX;
        }
        sizes::interpolate_growth(MIN_TARGET_ELEMENTS, self.max_elements as f64, self.growth) as usize
    }
}
