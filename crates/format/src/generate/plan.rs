//! The tables that generation precomputes for a format.

use super::column_block::ColumnBlock;
use super::compiled::{CompiledBlock, LineProgram};
use super::number_filter::NumberFilter;
use super::relations::RelationPlan;
use super::step_formulas::StepFormula;
use crate::language::{
    BlockId, Comparison, ComparisonOperator, Expr, FieldId, FieldPosition, Format, Formula, Interval, NestedNarrowing,
    narrow_by_operator,
};
use crate::validate::CompiledComparison;
use crate::value::{CompiledSum, InstanceList, Value, ValueScope, instances_in_holder};

/// A format with the precomputed tables of generation.
#[derive(Debug)]
pub struct GenerationPlan<'a> {
    /// The format.
    pub format: &'a Format,
    /// For each field, the comparisons that depend on it.
    pub(super) constraints_on: Vec<Vec<usize>>,
    /// For each block, the constraints with this home block.
    pub(super) home_constraints: Vec<Vec<usize>>,
    /// For each field, whether it sizes something.
    pub(super) is_size: Vec<bool>,
    /// For each field of a format without sizes, whether it takes the place of a size: extreme inputs have it
    /// at an end of its range.
    pub(super) acts_as_size: Vec<bool>,
    /// For each field, whether its elements must all differ.
    pub(super) is_distinct: Vec<bool>,
    /// For each block, how its columns are drawn, if they can be drawn one by one.
    pub(super) column_blocks: Vec<Option<ColumnBlock>>,
    pub(super) block_plans: Vec<BlockPlan>,
    pub(super) field_plans: Vec<FieldPlan<'a>>,
    /// For each constraint, the fields directly in its home block that may be redrawn if it does not hold.
    pub(super) redrawable_fields: Vec<Vec<FieldId>>,
    /// For each constraint, its compiled check, if it has one.
    pub(super) checks: Vec<Option<CompiledComparison>>,
    /// For each block, its compiled form, if all of its constraints can be compiled.
    pub(super) compiled_blocks: Vec<Option<CompiledBlock>>,
    /// The program that writes the last block without building its values, if the format allows one.
    pub(super) line_program: Option<LineProgram>,
    /// For each block, the formulas about each of its instances and the ones before it.
    pub(super) step_formulas: Vec<Vec<StepFormula<'a>>>,
    /// What relating the parts of inputs depends on.
    pub(super) relations: RelationPlan,
}

/// The parts of an instance of a block, and the facts that drawing it depends on.
#[derive(Debug)]
pub(super) struct BlockPlan {
    /// Single numbers that size something, in layout order.
    pub(super) sizes: Vec<FieldId>,
    /// The other single numbers.
    pub(super) other_scalars: Vec<FieldId>,
    pub(super) arrays: Vec<FieldId>,
    /// The slots of all single numbers, in layout order.
    pub(super) scalar_slots: Vec<usize>,
    /// The only size, if it alone decides the minimum number of elements of an instance.
    pub(super) lone_size: Option<FieldId>,
    /// Whether the block contains other blocks.
    pub(super) has_blocks: bool,
    /// Number of forms of its first choice between several; 0 without one.
    pub(super) form_count: usize,
    /// Whether products of two fields are bounded in this block.
    pub(super) has_products: bool,
    /// Whether this block is the home of formulas.
    pub(super) has_formulas: bool,
    /// Whether this block is the home of constraints that aggregate over a block that some repetitions lack.
    pub(super) has_occurrences: bool,
    /// Maximum number of elements of an instance.
    pub(super) max_elements: i128,
}

/// The constraints on a field, in the form used for drawing it.
#[derive(Debug)]
pub(super) struct FieldPlan<'a> {
    /// The comparisons that narrow its range beyond its declared bounds.
    pub(super) narrowings: Vec<RangeNarrowing<'a>>,
    /// The bounds on the sum of its elements.
    pub(super) sum_bounds: Vec<(ComparisonOperator, &'a Expr)>,
    /// Whether its letters are counted by a constraint.
    pub(super) counts_letters: bool,
    /// Whether it counts the test cases.
    pub(super) counts_cases: bool,
    /// Whether a larger value makes smaller what it sizes: `l` in `c[r-l+1]`.
    pub(super) is_start: bool,
    /// The constraints on it alone that leave gaps in its range.
    pub(super) filter: Option<NumberFilter<'a>>,
    /// Maximum number of its decimals.
    pub(super) decimals: u32,
    /// Whether its rows are different texts of free lengths, without a pattern.
    pub(super) has_distinct_texts: bool,
    /// Whether its rows have different elements, and its columns as well.
    pub(super) has_distinct_lines: bool,
    /// The fields with such rows that it counts, or with elements that are different numbers and not negative.
    pub(super) distinct_rows: Vec<FieldId>,
}

/// A comparison that narrows a field's range.
#[derive(Debug)]
pub(super) struct RangeNarrowing<'a> {
    pub(super) constraint: usize,
    pub(super) comparison: &'a Comparison,
    /// The other side and the operator as seen from the left, if the field stands alone on one side.
    pub(super) bound: Option<(ComparisonOperator, &'a Expr)>,
    /// The comparison as it is probed otherwise.
    pub(super) nested: Option<NestedNarrowing<'a>>,
    /// The bound, if it is a linear sum that can be evaluated directly.
    pub(super) fast_bound: Option<(ComparisonOperator, CompiledSum)>,
    /// Whether the comparison applies to every instance, even if optional parts are absent.
    pub(super) always_applies: bool,
}

impl<'a> GenerationPlan<'a> {
    /// Returns the same plan without compiled blocks: every instance is drawn on the general path.
    #[cfg(test)]
    pub(super) fn without_compiled_blocks(mut self) -> Self {
        self.compiled_blocks.iter_mut().for_each(|compiled| *compiled = None);
        self
    }

    /// Returns the program that writes the last block without building its values, if there is one.
    pub(super) fn line_program(&self) -> Option<&LineProgram> {
        self.line_program.as_ref()
    }

    #[cfg(test)]
    pub(super) fn compiled_block_count(&self) -> usize {
        self.compiled_blocks.iter().flatten().count()
    }

    /// Returns whether a constraint holds, if its compiled check can tell.
    pub(super) fn decide_constraint(&self, constraint: usize, scope: &ValueScope<'_>) -> Option<bool> {
        self.checks[constraint].as_ref()?.check_certainly(scope)
    }

    /// Returns the constraints on a field, in the form used for drawing it.
    pub(super) fn field_plan(&self, field: FieldId) -> &FieldPlan<'a> {
        &self.field_plans[field.0]
    }

    /// Returns the parts of an instance of a block.
    pub(super) fn block_plan(&self, block: BlockId) -> &BlockPlan {
        &self.block_plans[block.0]
    }

    /// Returns the number of a range that is nearest to a drawn one and that the constraints on its field alone allow.
    pub(super) fn filter_number(&self, field: FieldId, number: i128, range: Interval) -> i128 {
        self.field_plan(field).filter.as_ref().map_or(number, |filter| filter.move_number(number, range))
    }

    /// Returns the fields directly in the home block of a constraint that may be redrawn if it does not hold.
    pub(super) fn redrawable_fields(&self, constraint: usize) -> &[FieldId] {
        &self.redrawable_fields[constraint]
    }

    /// Returns the compiled form of a block, if it could be compiled.
    pub(super) fn compiled_block(&self, block: BlockId) -> Option<&CompiledBlock> {
        self.compiled_blocks[block.0].as_ref()
    }

    /// Returns the maximum number of elements of an input, or of each of its cases, according to the declared
    /// ranges.
    pub fn max_elements(&self) -> i128 {
        self.block_plan(self.format.cases_block().unwrap_or(BlockId(0))).max_elements
    }

    /// Returns how the columns of a block are drawn, if they can be drawn one by one.
    pub fn column_block(&self, block: BlockId) -> Option<&ColumnBlock> {
        self.column_blocks[block.0].as_ref()
    }

    /// Returns the formulas about each instance of a block and the ones before it.
    pub(super) fn step_formulas(&self, block: BlockId) -> &[StepFormula<'a>] {
        &self.step_formulas[block.0]
    }

    /// Returns the comparisons of two numbers that depend on a field.
    pub fn field_comparisons(&self, field: FieldId) -> impl Iterator<Item = (usize, &'a Comparison)> + '_ {
        let constraints = self.constraints_on[field.0].iter();
        constraints.filter_map(|i| Some((*i, self.format.constraints[*i].rule.comparison()?)))
    }

    /// Returns true if a constraint depends on a field.
    pub(super) fn field_affects(&self, field: FieldId, constraint: usize) -> bool {
        self.constraints_on[field.0].contains(&constraint)
    }

    /// Returns the formulas that depend on a field.
    pub fn field_formulas(&self, field: FieldId) -> impl Iterator<Item = (usize, &'a Formula)> + '_ {
        let constraints = self.constraints_on[field.0].iter();
        constraints.filter_map(|i| Some((*i, self.format.constraints[*i].rule.formula()?)))
    }

    /// Returns the comparisons that are checked once an instance of the block is complete.
    pub(super) fn home_comparisons(&self, block: BlockId) -> impl Iterator<Item = &'a Comparison> + '_ {
        self.home_constraints(block)
            .iter()
            .filter_map(|constraint| self.format.constraints[*constraint].rule.comparison())
    }

    /// Returns the home block of a constraint.
    pub fn home_block(&self, constraint: usize) -> BlockId {
        self.format.constraints[constraint].home_block
    }

    /// Returns the constraints that are checked once an instance of the block is complete.
    pub fn home_constraints(&self, block: BlockId) -> &[usize] {
        &self.home_constraints[block.0]
    }

    /// Returns true if a field sizes an array or counts the instances of a block.
    pub fn is_size(&self, field: FieldId) -> bool {
        self.is_size[field.0]
    }

    /// Returns true if a number takes the place of a size in inputs that have none: `N` in `N x` with `x <= N`.
    pub(super) fn acts_as_size(&self, field: FieldId) -> bool {
        self.acts_as_size[field.0]
    }

    /// Returns true if the elements of a field must all differ.
    pub fn is_distinct(&self, field: FieldId) -> bool {
        self.is_distinct[field.0]
    }
}

/// Returns true if a comparison with a constant is already part of a field's declared range, so that it never
/// narrows it.
pub(super) fn is_declared_bound(position: FieldPosition<'_>, declared: Interval) -> bool {
    let FieldPosition::Alone(sign, Expr::Constant(other)) = position else { return false };
    sign != ComparisonOperator::NotEqual && narrow_by_operator(declared, sign, Interval::from_value(*other)) == declared
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
