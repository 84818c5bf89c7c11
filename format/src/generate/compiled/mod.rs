//! Compiled blocks: blocks with instances that are drawn directly into their slots.
//!
//! Most cases consist of a few single numbers, bounded by sums of each other, and of texts and arrays sized by
//! these numbers. Computing the range that the constraints leave of such a number takes a few additions, the
//! same in each of a thousand cases, and nearly all constraints hold because every number was drawn within its
//! range. Both facts are established once per format. An instance is then drawn into one frame of ranges: no
//! tree is built, no expression is walked, and nothing but the texts is allocated.
//!
//! *Invariant:* the choices, the values and the errors are those of the general path,
//! [`InstanceGenerator::draw_instance`](super::instance::InstanceGenerator). A block with any constraint that
//! cannot be compiled takes that path.

mod batch;
mod draw;
mod lanes;
mod line_program;

pub(super) use line_program::{LineProgram, WrittenList};

use super::arrays::Alphabet;
use super::plan::{GenerationPlan, is_declared_bound};
use crate::language::{
    BlockId, Comparison, ComparisonOperator, Expr, FieldDimension, FieldId, FieldKind, Format, InstanceCount, Interval,
    OperandSide, narrow_by_operator,
};
use crate::value::{Value, ValueScope};
use std::cmp::Ordering;

/// Larger sums, tuples and blocks are rare, and take the general path.
const MAX_PARTS: usize = 6;
const MAX_SUMS: usize = 4;
const MAX_NUMBERS: usize = 64;

/// Sums of larger numbers could exceed the limit at which the general path saturates.
const MAX_MAGNITUDE: i128 = crate::language::MAX_NUMBER / 64;

/// The compiled form of a block: how its instances are drawn.
#[derive(Debug)]
pub(super) struct CompiledBlock {
    /// The declared range of each slot.
    declared: Vec<Interval>,
    /// Numbers of outer instances. Their places follow the slots.
    outer: Vec<OuterNumber>,
    /// Single numbers that size something, in layout order.
    sizes: Vec<CompiledNumber>,
    /// The other single numbers.
    other_scalars: Vec<CompiledNumber>,
    /// The slots of all single numbers, in layout order.
    scalar_slots: Vec<usize>,
    /// Arrays and texts.
    arrays: Vec<CompiledArray>,
    /// The constraints that do not hold by construction, in their order.
    constraints: Vec<CompiledConstraint>,
    /// Whether a bound depends on an optional part, so that it is sometimes ignored.
    has_optional_bounds: bool,
}

#[derive(Debug, PartialEq, Eq)]
struct OuterNumber {
    block: BlockId,
    slot: usize,
}

/// A single number.
#[derive(Debug)]
struct CompiledNumber {
    field: FieldId,
    slot: usize,
    /// Its index among the single numbers.
    position: usize,
    bounds: Vec<CompiledBound>,
}

/// An array, a text or a board.
#[derive(Debug)]
struct CompiledArray {
    field: FieldId,
    slot: usize,
    sizes: Vec<CompiledLinear>,
    bounds: Vec<CompiledBound>,
    /// The letters of a text, if the field is one.
    letters: Option<Alphabet>,
}

/// The comparison of a number with a sum of others.
#[derive(Debug)]
struct CompiledBound {
    constraint: usize,
    sign: ComparisonOperator,
    other: CompiledLinear,
}

/// A comparison of two sums, or of two tuples of sums.
#[derive(Debug)]
struct CompiledConstraint {
    constraint: usize,
    sign: ComparisonOperator,
    left: Vec<CompiledLinear>,
    right: Vec<CompiledLinear>,
}

/// A sum of places, each added or subtracted.
#[derive(Debug)]
struct CompiledLinear {
    constant: i128,
    /// Each place, and whether it is subtracted.
    terms: Vec<(usize, bool)>,
}

impl CompiledLinear {
    /// Returns the range of the sum, given the range of each place.
    #[inline(always)]
    fn possible_range(&self, places: &[Interval]) -> Interval {
        let mut sum = Interval::from_value(self.constant);
        for (place, is_negative) in &self.terms {
            let part = places[*place];
            if *is_negative {
                sum = Interval::new(sum.lo - part.hi, sum.hi - part.lo);
            } else {
                sum = Interval::new(sum.lo + part.lo, sum.hi + part.hi);
            }
        }
        sum
    }

    fn subtract_sum(&mut self, other: CompiledLinear) {
        self.constant -= other.constant;
        self.terms.extend(other.terms.into_iter().map(|(place, is_negative)| (place, !is_negative)));
    }

    /// Returns the sum, if every place is known.
    fn known_number(&self, places: &[Interval]) -> i128 {
        self.evaluate_with(|place| places[place].lo)
    }

    /// Returns the sum of these numbers.
    fn evaluate_with(&self, number: impl Fn(usize) -> i128) -> i128 {
        let part = |(place, is_negative): &(usize, bool)| {
            let number = number(*place);
            if *is_negative { -number } else { number }
        };
        self.constant + self.terms.iter().map(part).sum::<i128>()
    }
}

impl CompiledConstraint {
    /// Returns true if the constraint holds for these sums.
    fn holds_for_sums(&self, sum: impl Fn(&CompiledLinear) -> i128) -> bool {
        // Tuples are compared lexicographically: the first difference decides.
        let pairs = self.left.iter().zip(&self.right);
        let order = pairs.map(|(left, right)| sum(left).cmp(&sum(right))).find(|order| order.is_ne());
        self.sign.compare(&order.unwrap_or(Ordering::Equal), &Ordering::Equal)
    }
}

/// Narrows a range by bounds.
#[inline(always)]
fn apply_bounds(range: Interval, bounds: &[CompiledBound], places: &[Interval]) -> Interval {
    bounds.iter().fold(range, |range, bound| narrow_by_operator(range, bound.sign, bound.other.possible_range(places)))
}

impl CompiledBlock {
    /// Returns every sum of the block.
    fn all_sums(&self) -> impl Iterator<Item = &CompiledLinear> {
        let numbers = self.sizes.iter().chain(&self.other_scalars).flat_map(|number| &number.bounds);
        let bounds = numbers.chain(self.arrays.iter().flat_map(|array| &array.bounds)).map(|bound| &bound.other);
        let sizes = self.arrays.iter().flat_map(|array| &array.sizes);
        bounds.chain(sizes).chain(self.constraints.iter().flat_map(|check| check.left.iter().chain(&check.right)))
    }

    /// Compiles a block. Returns `None` if anything in it cannot be compiled.
    pub(super) fn compile_block(plan: &GenerationPlan<'_>, block: BlockId) -> Option<CompiledBlock> {
        let (format, parts) = (plan.format, plan.block_plan(block));
        let counted = !matches!(format.block(block).count, InstanceCount::Until { sentinel: Some(_), .. });
        let alone = !parts.has_blocks && !parts.has_products && !parts.has_formulas;
        if block == BlockId(0) || !counted || !alone || plan.format.edge_graph(block).is_some() {
            return None;
        }
        let width = format.block(block).slots;
        let mut compiled = CompiledBlock {
            declared: vec![Interval::ALL; width],
            outer: Vec::new(),
            sizes: Vec::new(),
            other_scalars: Vec::new(),
            scalar_slots: parts.scalar_slots.clone(),
            arrays: Vec::new(),
            constraints: Vec::new(),
            has_optional_bounds: false,
        };
        for field in format.fields_in_block(block) {
            let info = format.field(field);
            let constraints = || format.constraints.iter().filter(|c| c.rule.mentions_field(field));
            let is_small = info.range.lo >= -MAX_MAGNITUDE && info.range.hi <= MAX_MAGNITUDE;
            if !is_small || !constraints().all(|c| c.rule.comparison().is_some()) {
                return None;
            }
            compiled.declared[info.slot] = info.range;
        }
        let fits =
            compiled.scalar_slots.len() <= MAX_NUMBERS && compiled.scalar_slots.len() + parts.arrays.len() == width;
        (fits && compiled.compile_fields(plan, block)).then_some(compiled)
    }

    /// Compiles the fields and constraints of the block. Returns false if one of them cannot be compiled.
    fn compile_fields(&mut self, plan: &GenerationPlan<'_>, block: BlockId) -> bool {
        let parts = plan.block_plan(block);
        if parts.sizes.iter().any(|field| plan.is_start(*field)) {
            return false;
        }
        for field in &parts.sizes {
            let Some(mut number) = self.compile_number(plan, *field) else { return false };
            let (declared, sizes) = (&self.declared, &self.sizes);
            let width = declared.len();
            let is_later = |(place, _): &(usize, bool)| *place < width && sizes.iter().all(|s| s.slot != *place);
            // Numbers drawn later are unknown when a size is drawn, and sizes are never redrawn. So a bound by
            // such numbers only is constant, and is dropped if the declared range implies it.
            number.bounds.retain(|bound| {
                let range = declared[number.slot];
                !bound.other.terms.iter().all(is_later)
                    || narrow_by_operator(range, bound.sign, bound.other.possible_range(declared)) != range
            });
            self.sizes.push(number);
        }
        for field in &parts.other_scalars {
            let Some(number) = self.compile_number(plan, *field) else { return false };
            self.other_scalars.push(number);
        }
        for field in &parts.arrays {
            let Some(array) = self.compile_array(plan, *field) else { return false };
            self.arrays.push(array);
        }
        self.arrays.is_sorted_by_key(|array| array.slot)
            && plan.home_constraints(block).iter().all(|c| self.compile_constraint(plan, *c))
    }

    fn compile_number(&mut self, plan: &GenerationPlan<'_>, field: FieldId) -> Option<CompiledNumber> {
        let slot = plan.format.field(field).slot;
        let at = self.scalar_slots.iter().position(|other| *other == slot)?;
        Some(CompiledNumber { field, slot, position: at, bounds: self.compile_bounds(plan, field)? })
    }

    fn compile_array(&mut self, plan: &GenerationPlan<'_>, field: FieldId) -> Option<CompiledArray> {
        let info = plan.format.field(field);
        let size = |dimension: &FieldDimension| match dimension {
            FieldDimension::Size(size) => self.compile_sum(plan, info.block, size, false),
            FieldDimension::Free => None,
        };
        let sizes = info.dimensions.iter().map(size).collect::<Option<Vec<CompiledLinear>>>()?;
        let bounds = self.compile_bounds(plan, field)?;
        let letters = info.alphabet().filter(|_| sizes.len() == 1).map(Alphabet::new);
        (sizes.len() <= 2).then_some(CompiledArray { field, slot: info.slot, sizes, bounds, letters })
    }

    /// Compiles the comparisons that narrow a field beyond its declared range.
    fn compile_bounds(&mut self, plan: &GenerationPlan<'_>, field: FieldId) -> Option<Vec<CompiledBound>> {
        let block = plan.format.field(field).block;
        let mut bounds = Vec::new();
        for narrowing in plan.field_narrowings(field) {
            let arrays = plan.is_size(field);
            let (sign, other) = match narrowing.side.opposite_operand(narrowing.comparison) {
                Some((sign, other)) => (sign, self.compile_sum(plan, block, other, arrays)?),
                None => self.solve_for_field(plan, field, narrowing.comparison)?,
            };
            self.has_optional_bounds |= !narrowing.always_applies;
            bounds.push(CompiledBound { constraint: narrowing.constraint, sign, other });
        }
        Some(bounds)
    }

    /// Solves a comparison of sums for a single number that occurs in it once.
    fn solve_for_field(
        &mut self,
        plan: &GenerationPlan<'_>,
        field: FieldId,
        comparison: &Comparison,
    ) -> Option<(ComparisonOperator, CompiledLinear)> {
        let info = plan.format.field(field);
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
        if !info.is_scalar() || comparison.sign == ComparisonOperator::NotEqual {
            return None;
        }
        // Move everything to the left, leaving zero on the right.
        let mut rest = self.compile_sum(plan, info.block, left, plan.is_size(field))?;
        rest.subtract_sum(self.compile_sum(plan, info.block, right, plan.is_size(field))?);
        let at = rest.terms.iter().position(|(place, _)| *place == info.slot)?;
        let (_, is_negative) = rest.terms.remove(at);
        let is_once = rest.terms.iter().all(|(place, _)| *place != info.slot);
        let mut other = CompiledLinear { constant: 0, terms: Vec::new() };
        let sign = if is_negative {
            std::mem::swap(&mut other, &mut rest);
            comparison.sign.with_sides_swapped()
        } else {
            other.subtract_sum(rest);
            comparison.sign
        };
        is_once.then_some((sign, other))
    }

    /// Compiles a constraint. Returns false if it cannot be compiled.
    fn compile_constraint(&mut self, plan: &GenerationPlan<'_>, constraint: usize) -> bool {
        let Some(comparison) = plan.format.constraints[constraint].rule.comparison() else { return false };
        let block = plan.home_block(constraint);
        if holds_by_construction(plan, constraint, comparison) {
            return true;
        }
        let mut sums = |side: &[Expr]| {
            side.iter().map(|expr| self.compile_sum(plan, block, expr, false)).collect::<Option<Vec<CompiledLinear>>>()
        };
        let Some((left, right)) = sums(&comparison.left).zip(sums(&comparison.right)) else { return false };
        let fits = left.len() == right.len() && left.len() <= MAX_SUMS;
        self.constraints.push(CompiledConstraint { constraint, sign: comparison.sign, left, right });
        fits
    }

    /// Compiles an expression into a sum of places. If `arrays`, an array of numbers of the block counts as its
    /// declared range.
    fn compile_sum(
        &mut self,
        plan: &GenerationPlan<'_>,
        block: BlockId,
        expr: &Expr,
        arrays: bool,
    ) -> Option<CompiledLinear> {
        let mut linear = CompiledLinear { constant: 0, terms: Vec::new() };
        self.gather_terms(plan.format, (block, arrays), expr, &mut linear)?;
        let is_small = linear.constant.abs() <= MAX_MAGNITUDE && linear.terms.len() <= MAX_PARTS;
        is_small.then_some(linear)
    }

    fn gather_terms(
        &mut self,
        format: &Format,
        within: (BlockId, bool),
        expr: &Expr,
        sum: &mut CompiledLinear,
    ) -> Option<()> {
        expr.visit_terms(&mut |term, is_negative| match term {
            Expr::Constant(number) => {
                let number = if is_negative { -*number } else { *number };
                sum.constant = Some(number).filter(|n| n.abs() <= MAX_MAGNITUDE).map(|n| sum.constant + n)?;
                Some(())
            }
            Expr::Field(field) => {
                sum.terms.push((self.place_of_field(format, within, *field)?, is_negative));
                Some(())
            }
            _ => None,
        })
    }

    fn place_of_field(&mut self, format: &Format, (block, arrays): (BlockId, bool), field: FieldId) -> Option<usize> {
        let info = format.field(field);
        if info.block == block {
            let is_number = info.is_scalar() || arrays && !matches!(info.kind, FieldKind::Text(_));
            return is_number.then_some(info.slot);
        }
        if !info.is_scalar() || !format.is_within(block, info.block) {
            return None;
        }
        let outer = OuterNumber { block: info.block, slot: info.slot };
        let at = self.outer.iter().position(|known| *known == outer);
        let at = at.unwrap_or_else(|| {
            self.outer.push(outer);
            self.outer.len() - 1
        });
        Some(self.declared.len() + at)
    }

    /// Returns the ranges of the outer places, if all of these numbers are known and small enough.
    fn outer_ranges(&self, holder: &ValueScope<'_>) -> Option<Vec<Interval>> {
        let number = |outer: &OuterNumber| {
            let number = holder.scope_of_block(outer.block)?.slot_value(outer.slot).and_then(Value::as_int)?;
            (number.abs() <= MAX_MAGNITUDE).then_some(Interval::from_value(number))
        };
        self.outer.iter().map(number).collect()
    }
}

/// Returns true if a comparison holds once all of its numbers are drawn, because the last one is drawn within
/// the range that it leaves. Sizes come first, in their order, and are never redrawn; then the other single
/// numbers, any of which may be redrawn; arrays come last.
fn holds_by_construction(plan: &GenerationPlan<'_>, constraint: usize, comparison: &Comparison) -> bool {
    let (format, parts) = (plan.format, plan.block_plan(plan.home_block(constraint)));
    let kept = |field: FieldId| {
        let side = OperandSide::of_field(field, comparison, format);
        let narrows = plan.field_narrowings(field).iter().any(|n| n.constraint == constraint);
        side.is_some_and(|side| narrows || is_declared_bound(side, comparison, format.field(field).range))
    };
    let among =
        |fields: &[FieldId]| fields.iter().copied().filter(|f| comparison.mentions_field(*f)).collect::<Vec<FieldId>>();
    let (sizes, others, arrays) = (among(&parts.sizes), among(&parts.other_scalars), among(&parts.arrays));
    let is_number = |field: FieldId| format.field(field).alphabet().is_none();
    let single = comparison.left.len() == 1 && comparison.right.len() == 1;
    single
        && comparison.sign != ComparisonOperator::NotEqual
        && match (&*arrays, &*others, sizes.last()) {
            ([array], [], _) => is_number(*array) && kept(*array),
            ([], [], size) => size.is_some_and(|size| kept(*size)),
            ([], others, _) => others.iter().all(|other| kept(*other)),
            _ => false,
        }
}
