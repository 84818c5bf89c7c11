//! The tables that generation precomputes for a format.

use super::arrays::sum_bound;
use super::columns::ColumnBlock;
use super::compiled::{CompiledBlock, LineProgram};
use super::letter_counts::counts_letters;
use super::occurrences::aggregated_occurrences;
use super::partial_ranges::max_elements;
use super::products::mentions_product;
use crate::language::{
    BlockId, BlockKind, Comparison, ComparisonOperator, Constraint, ConstraintRule, Expr, FieldDimension, FieldId,
    Format, Formula, InstanceCount, Interval, OperandSide, always_applies, factor_of_field, narrow_by_operator,
};
use crate::validate::CompiledComparison;
use crate::value::{CompiledSum, ValueScope};

/// A format with the precomputed tables of generation.
#[derive(Debug)]
pub struct GenerationPlan<'a> {
    /// The format.
    pub format: &'a Format,
    /// For each field, the comparisons that depend on it.
    constraints_on: Vec<Vec<usize>>,
    /// For each block, the constraints with this home block.
    home_constraints: Vec<Vec<usize>>,
    /// For each field, whether it sizes something.
    is_size: Vec<bool>,
    /// For each field, whether a larger value makes smaller what it sizes: `l` in `c[r-l+1]`.
    is_start: Vec<bool>,
    /// For each field of a format without sizes, whether it takes the place of a size: extreme inputs have it
    /// at an end of its range.
    acts_as_size: Vec<bool>,
    /// For each field, whether its elements must all differ.
    is_distinct: Vec<bool>,
    /// For each block, how its columns are drawn, if they can be drawn one by one.
    column_blocks: Vec<Option<ColumnBlock>>,
    block_plans: Vec<BlockPlan>,
    field_plans: Vec<FieldPlan<'a>>,
    /// For each constraint, the fields directly in its home block that may be redrawn if it does not hold.
    redrawable_fields: Vec<Vec<FieldId>>,
    /// For each constraint, its compiled check, if it has one.
    checks: Vec<Option<CompiledComparison>>,
    /// For each block, its compiled form, if all of its constraints can be compiled.
    compiled_blocks: Vec<Option<CompiledBlock>>,
    /// The program that writes the last block without building its values, if the format allows one.
    line_program: Option<LineProgram>,
}

/// The parts of an instance of a block, and the facts that drawing it depends on.
#[derive(Debug)]
pub(super) struct BlockPlan {
    /// Single numbers that size something, in layout order.
    pub(super) sizes: Vec<FieldId>,
    /// The other single numbers.
    pub(super) other_scalars: Vec<FieldId>,
    /// Arrays and texts.
    pub(super) arrays: Vec<FieldId>,
    /// The slots of all single numbers, in layout order.
    pub(super) scalar_slots: Vec<usize>,
    /// The only size, if it alone decides the minimum number of elements of an instance.
    pub(super) lone_size: Option<FieldId>,
    /// Whether the block contains other blocks.
    pub(super) has_blocks: bool,
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
struct FieldPlan<'a> {
    /// The comparisons that narrow its range beyond its declared bounds.
    narrowings: Vec<RangeNarrowing<'a>>,
    /// The bounds on the sum of its elements.
    sum_bounds: Vec<(ComparisonOperator, &'a Expr)>,
    /// Whether its letters are counted by a constraint.
    counts_letters: bool,
    /// Whether it counts the test cases.
    counts_cases: bool,
}

/// A comparison that narrows a field's range.
#[derive(Debug)]
pub(super) struct RangeNarrowing<'a> {
    /// The index of its constraint.
    pub(super) constraint: usize,
    /// The comparison.
    pub(super) comparison: &'a Comparison,
    /// The side of the comparison on which the field stands.
    pub(super) side: OperandSide,
    /// The other side and the operator as seen from the left, if the field stands alone on one side and the
    /// other side is a linear sum that can be evaluated directly.
    pub(super) fast_bound: Option<(ComparisonOperator, CompiledSum)>,
    /// Whether the comparison applies to every instance, even if optional parts are absent.
    pub(super) always_applies: bool,
}

impl<'a> GenerationPlan<'a> {
    /// Computes the plan of a format.
    pub fn new(format: &'a Format) -> Self {
        let fields = || (0..format.fields.len()).map(FieldId);
        let rules = || format.constraints.iter().enumerate();
        let mut constraints_on = vec![Vec::new(); format.fields.len()];
        for (i, constraint) in rules() {
            let exprs = constraint.rule.expressions();
            let depends = |field: &FieldId| exprs.iter().any(|e| format.depends_on(e, *field));
            format
                .affecting_fields(exprs.iter().copied())
                .into_iter()
                .filter(depends)
                .for_each(|f| constraints_on[f.0].push(i));
        }
        let home_constraints = (0..format.blocks.len())
            .map(|block| rules().filter(|(_, c)| c.home_block == BlockId(block)).map(|(i, _)| i).collect())
            .collect();
        let announces = |field: FieldId| {
            let mut announced = format.fields.iter().filter_map(|info| info.announced_length.as_ref());
            format.field(field).is_scalar() && announced.any(|length| length.mentions_field(field))
        };
        let is_size: Vec<bool> = fields()
            .map(|field| size_expressions(format).any(|size| size.mentions_field(field)) || announces(field))
            .collect();
        let is_start = fields().map(|field| is_only_subtracted(format, field)).collect();
        let acts_as_size = find_leading_fields(format, &is_size);
        let all_differ = |field| rules().any(|(_, c)| c.rule.distinct_elements() == Some(field));
        let distinct = fields().map(all_differ).collect();
        let column_blocks =
            (0..format.blocks.len()).map(|block| ColumnBlock::for_block(format, BlockId(block))).collect();
        let (parts, field_plans) = (Vec::new(), Vec::new());
        let mut plan = GenerationPlan {
            format,
            constraints_on,
            home_constraints,
            is_size,
            is_start,
            acts_as_size,
            is_distinct: distinct,
            column_blocks,
            block_plans: parts,
            field_plans,
            redrawable_fields: Vec::new(),
            checks: Vec::new(),
            compiled_blocks: Vec::new(),
            line_program: None,
        };
        plan.block_plans = (0..format.blocks.len()).map(|block| plan.plan_block(BlockId(block))).collect();
        plan.field_plans = fields().map(|field| plan.plan_field(field)).collect();
        let is_blamed = |rule: &ConstraintRule, field: &FieldId| rule.mentions_field(*field) && !plan.is_size(*field);
        let blamed =
            |c: &'a Constraint| format.fields_in_block(c.home_block).filter(|f| is_blamed(&c.rule, f)).collect();
        plan.redrawable_fields = format.constraints.iter().map(blamed).collect();
        plan.checks = format.constraints.iter().map(|c| CompiledComparison::from_rule(&c.rule, format)).collect();
        plan.compiled_blocks =
            (0..format.blocks.len()).map(|block| CompiledBlock::compile_block(&plan, BlockId(block))).collect();
        plan.line_program = LineProgram::for_plan(&plan);
        plan
    }

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

    /// Returns the number of compiled blocks.
    #[cfg(test)]
    pub(super) fn compiled_block_count(&self) -> usize {
        self.compiled_blocks.iter().flatten().count()
    }

    fn plan_block(&self, block: BlockId) -> BlockPlan {
        let format = self.format;
        let (scalars, arrays): (Vec<FieldId>, Vec<FieldId>) =
            format.fields_in_block(block).partition(|f| format.field(*f).is_scalar());
        let (sizes, others): (Vec<FieldId>, Vec<FieldId>) = scalars.into_iter().partition(|f| self.is_size(*f));
        let is_formula = |c: &usize| format.constraints[*c].rule.formula().is_some();
        let single = |field: &FieldId| format.field(*field).is_scalar();
        BlockPlan {
            scalar_slots: format.fields_in_block(block).filter(single).map(|f| format.field(f).slot).collect(),
            lone_size: find_lone_size(format, block, &sizes),
            has_blocks: format.child_blocks(block).next().is_some(),
            has_products: self.home_comparisons(block).any(mentions_product),
            has_occurrences: self
                .home_constraints(block)
                .iter()
                .any(|c| aggregated_occurrences(&format.constraints[*c]).is_some()),
            has_formulas: self.home_constraints(block).iter().any(is_formula),
            max_elements: max_elements(format, block),
            sizes,
            other_scalars: others,
            arrays,
        }
    }

    fn plan_field(&self, field: FieldId) -> FieldPlan<'a> {
        let format = self.format;
        let narrowing = |(constraint, comparison): (usize, &'a Comparison)| {
            let side = OperandSide::of_field(field, comparison, format)?;
            let always_applies = always_applies(format, Some(field), self.home_block(constraint), comparison);
            let is_narrowing = !is_declared_bound(side, comparison, format.field(field).range);
            let fast_bound = side
                .opposite_operand(comparison)
                .and_then(|(sign, other)| Some((sign, CompiledSum::from_expr(other, format)?)));
            is_narrowing.then_some(RangeNarrowing { constraint, comparison, side, fast_bound, always_applies })
        };
        let comparisons = || self.field_comparisons(field).map(|(_, comparison)| comparison);
        let counted = |c: &Comparison| c.left.iter().chain(&c.right).any(|e| counts_letters(e, field));
        let counts = |count: &InstanceCount| *count == InstanceCount::Times(Expr::Field(field));
        FieldPlan {
            narrowings: self.field_comparisons(field).filter_map(narrowing).collect(),
            sum_bounds: comparisons().filter_map(|c| sum_bound(field, c)).collect(),
            counts_letters: comparisons().any(counted),
            counts_cases: format.blocks.iter().any(|b| b.kind == BlockKind::Cases && counts(&b.count)),
        }
    }

    /// Returns true if a compiled check proves that a constraint holds. False means unknown.
    pub(super) fn is_known_to_hold(&self, constraint: usize, scope: &ValueScope<'_>) -> bool {
        self.checks[constraint].as_ref().is_some_and(|check| check.certainly_holds(scope))
    }

    /// Returns the parts of an instance of a block.
    pub(super) fn block_plan(&self, block: BlockId) -> &BlockPlan {
        &self.block_plans[block.0]
    }

    /// Returns the comparisons that narrow a field's range beyond its declared bounds.
    pub(super) fn field_narrowings(&self, field: FieldId) -> &[RangeNarrowing<'a>] {
        &self.field_plans[field.0].narrowings
    }

    /// Returns the bounds on the sum of a field's elements.
    pub(super) fn sum_bounds(&self, field: FieldId) -> &[(ComparisonOperator, &'a Expr)] {
        &self.field_plans[field.0].sum_bounds
    }

    /// Returns true if a constraint counts letters of a field.
    pub(super) fn counts_letters(&self, field: FieldId) -> bool {
        self.field_plans[field.0].counts_letters
    }

    /// Returns true if a field counts the test cases.
    pub(super) fn counts_cases(&self, field: FieldId) -> bool {
        self.field_plans[field.0].counts_cases
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

    /// Returns true if a larger value of the field makes smaller what it sizes: `l` in `c[r-l+1]`.
    pub(super) fn is_start(&self, field: FieldId) -> bool {
        self.is_start[field.0]
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
pub(super) fn is_declared_bound(side: OperandSide, comparison: &Comparison, declared: Interval) -> bool {
    let (other, sign) = match (side, &*comparison.left, &*comparison.right) {
        (OperandSide::Left, _, [Expr::Constant(other)]) => (*other, comparison.sign),
        (OperandSide::Right, [Expr::Constant(other)], _) => (*other, comparison.sign.with_sides_swapped()),
        _ => return false,
    };
    sign != ComparisonOperator::NotEqual && narrow_by_operator(declared, sign, Interval::from_value(other)) == declared
}

/// Returns the only size of a block, if the sizes and counts inside depend on no field outside.
fn find_lone_size(format: &Format, block: BlockId, sizes: &[FieldId]) -> Option<FieldId> {
    let [size] = sizes else { return None };
    // The block and all blocks nested in it.
    let mut inside = vec![block];
    let mut at = 0;
    while let Some(parent) = inside.get(at).copied() {
        inside.extend(format.child_blocks(parent));
        at += 1;
    }
    // All fields that sizes, announced lengths and counts inside depend on must be inside as well.
    let dimensions = format.fields.iter().filter(|f| inside.contains(&f.block)).flat_map(|f| &f.dimensions);
    let of_dimensions = dimensions.filter_map(declared_size);
    let announced =
        format.fields.iter().filter(|f| inside.contains(&f.block)).filter_map(|f| f.announced_length.as_ref());
    let counts = inside
        .iter()
        .skip(1)
        .filter_map(|b| if let InstanceCount::Times(c) = &format.block(*b).count { Some(c) } else { None });
    let fields = format.affecting_fields(of_dimensions.chain(announced).chain(counts));
    fields.iter().all(|f| inside.contains(&format.field(*f).block)).then_some(*size)
}

/// In a format without sizes, finds the single numbers that others are compared with and that precede all of
/// those. Without any such number, every single number leads.
fn find_leading_fields(format: &Format, is_size: &[bool]) -> Vec<bool> {
    let is_single = |field: FieldId| format.field(field).dimensions.is_empty() && !is_size.contains(&true);
    let compared = |field: FieldId| {
        let rules = format.constraints.iter().filter(move |c| c.rule.mentions_field(field));
        rules.flat_map(|c| format.affecting_fields(c.rule.expressions())).filter(move |other| *other != field)
    };
    let is_first = |field: FieldId| compared(field).next().is_some() && compared(field).all(|other| field < other);
    let singles: Vec<bool> = (0..format.fields.len()).map(|field| is_single(FieldId(field))).collect();
    let first: Vec<bool> = (0..singles.len()).map(|field| singles[field] && is_first(FieldId(field))).collect();
    if first.contains(&true) { first } else { singles }
}

/// Returns all expressions that size something.
fn size_expressions(format: &Format) -> impl Iterator<Item = &Expr> {
    let dimensions = format.fields.iter().flat_map(|f| &f.dimensions).filter_map(declared_size);
    let counts = format.blocks.iter().flat_map(|b| match &b.count {
        InstanceCount::Times(count) => vec![count],
        InstanceCount::Conditional(comparisons) => {
            comparisons.iter().flat_map(|c| c.left.iter().chain(&c.right)).collect()
        }
        InstanceCount::Alternative | InstanceCount::Until { .. } => Vec::new(),
    });
    dimensions.chain(counts)
}

/// Returns true if a field is subtracted in every size that mentions it.
fn is_only_subtracted(format: &Format, field: FieldId) -> bool {
    let announced = format.fields.iter().filter_map(|info| info.announced_length.as_ref());
    let mut factors = size_expressions(format)
        .chain(announced)
        .filter(|size| size.mentions_field(field))
        .map(|size| factor_of_field(size, field))
        .peekable();
    factors.peek().is_some() && factors.all(|factor| factor.is_some_and(|factor| factor < 0))
}

fn declared_size(dimension: &FieldDimension) -> Option<&Expr> {
    match dimension {
        FieldDimension::Size(size) => Some(size),
        FieldDimension::Free => None,
    }
}
