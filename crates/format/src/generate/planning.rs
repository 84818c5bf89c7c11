//! Computes the tables of a plan from its format.

use super::column_block::ColumnBlock;
use super::compiled::{CompiledBlock, LineProgram};
use super::number_filter::NumberFilter;
use super::partial_ranges::max_elements;
use super::plan::{BlockPlan, FieldPlan, GenerationPlan, RangeNarrowing, is_declared_bound};
use super::relations::RelationPlan;
use super::step_formulas::find_step_formulas;
use crate::language::{
    ArithmeticOperator, BlockId, BlockKind, Comparison, ComparisonOperator, Constraint, ConstraintRule, Expr,
    FieldDimension, FieldId, FieldPosition, FoldKind, FoldRange, Format, Formula, InstanceCount, LayoutItem,
    NestedNarrowing, always_applies, factor_of_field,
};
use crate::validate::CompiledComparison;
use crate::value::CompiledSum;
use std::ops::ControlFlow;

impl<'a> GenerationPlan<'a> {
    /// Computes the plan of a format.
    pub fn new(format: &'a Format) -> Self {
        let fields = || format.field_ids();
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
        let acts_as_size = find_leading_fields(format, &is_size);
        let all_differ = |field| rules().any(|(_, c)| c.rule.distinct_elements() == Some(field));
        let distinct = fields().map(all_differ).collect();
        let blocks = || format.block_ids();
        let step_formulas: Vec<_> = blocks().map(|block| find_step_formulas(format, block)).collect();
        // Steps are drawn one by one.
        let has_steps = |block: BlockId| !step_formulas[block.0].is_empty();
        let column_blocks =
            blocks().map(|block| ColumnBlock::for_block(format, block).filter(|_| !has_steps(block))).collect();
        let relations = RelationPlan::of_format(format, &is_size);
        let (parts, field_plans) = (Vec::new(), Vec::new());
        let mut plan = GenerationPlan {
            format,
            constraints_on,
            home_constraints,
            is_size,
            acts_as_size,
            is_distinct: distinct,
            column_blocks,
            block_plans: parts,
            field_plans,
            redrawable_fields: Vec::new(),
            checks: Vec::new(),
            compiled_blocks: Vec::new(),
            line_program: None,
            step_formulas,
            relations,
        };
        plan.block_plans = (0..format.blocks.len()).map(|block| plan.plan_block(BlockId(block))).collect();
        plan.field_plans = fields().map(|field| plan.plan_field(field)).collect();
        let is_blamed = |rule: &ConstraintRule, field: &FieldId| rule.mentions_field(*field) && !plan.is_size(*field);
        let blamed =
            |c: &'a Constraint| format.fields_in_block(c.home_block).filter(|f| is_blamed(&c.rule, f)).collect();
        plan.redrawable_fields = format.constraints.iter().map(blamed).collect();
        plan.checks = format.constraints.iter().map(|c| CompiledComparison::from_rule(&c.rule, format)).collect();
        let compile =
            |block| CompiledBlock::compile_block(&plan, block).filter(|_| plan.step_formulas(block).is_empty());
        plan.compiled_blocks = (0..format.blocks.len()).map(|block| compile(BlockId(block))).collect();
        plan.line_program = LineProgram::for_plan(&plan);
        plan
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
            form_count: count_forms(format, block),
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
            let position = FieldPosition::in_comparison(field, comparison, format)?;
            let always_applies = always_applies(format, Some(field), self.home_block(constraint), comparison);
            let is_narrowing = !is_declared_bound(position, format.field(field).range);
            let bound = match position {
                FieldPosition::Alone(sign, other) => Some((sign, other)),
                FieldPosition::Nested => None,
            };
            let fast_bound = bound.and_then(|(sign, other)| Some((sign, CompiledSum::from_expr(other, format)?)));
            let is_nested = is_narrowing && bound.is_none();
            let nested = is_nested.then(|| NestedNarrowing::of_comparison(comparison, field, format)).flatten();
            is_narrowing.then_some(RangeNarrowing { constraint, comparison, bound, nested, fast_bound, always_applies })
        };
        let comparisons = || self.field_comparisons(field).map(|(_, comparison)| comparison);
        let counted = |c: &Comparison| c.all_operands().any(|e| counts_letters(e, field));
        let counts = |count: &InstanceCount| *count == InstanceCount::Times(Expr::Field(field));
        FieldPlan {
            narrowings: self.field_comparisons(field).filter_map(narrowing).collect(),
            sum_bounds: comparisons().filter_map(|c| sum_bound(field, c)).collect(),
            counts_letters: comparisons().any(counted),
            counts_cases: format.blocks.iter().any(|b| b.kind == BlockKind::Cases && counts(&b.count)),
            is_start: is_only_subtracted(format, field),
            filter: NumberFilter::for_field(format, field),
            decimals: format.field(field).decimal_places().max,
            has_distinct_texts: has_distinct_texts(format, field),
            has_distinct_lines: has_distinct_lines(format, field),
            distinct_rows: self.find_distinct_rows(field),
        }
    }

    fn find_distinct_rows(&self, size: FieldId) -> Vec<FieldId> {
        let format = self.format;
        let counts_rows = |field: &FieldId| {
            let first = format.field(*field).dimensions.first().and_then(declared_size);
            first.is_some_and(|count| *count == Expr::Field(size))
        };
        let has_distinct_numbers = |field: FieldId| {
            let info = format.field(field);
            self.is_distinct(field) && info.dimensions.len() == 1 && info.range.lo >= 0 && info.alphabet().is_none()
        };
        let fields = format.field_ids().filter(counts_rows);
        fields.filter(|field| has_distinct_texts(format, *field) || has_distinct_numbers(*field)).collect()
    }
}

/// Returns true if the rows of a field have different elements, and its columns as well.
fn has_distinct_lines(format: &Format, field: FieldId) -> bool {
    let formulas = format.constraints.iter().filter_map(|constraint| constraint.rule.formula());
    let lines = formulas.filter_map(|formula| {
        let Formula::ForAll(quantified) = formula else { return None };
        let Formula::Compare(comparison) = &quantified.body else { return None };
        let (each, is_whole) = match comparison.distinct_values()? {
            Expr::Fold(_, FoldRange::Elements, row) => (&**row, true),
            Expr::Slice(slice) => (&slice.each, false),
            _ => return None,
        };
        let (Expr::Element(of, indices), line) = (each, Expr::Variable(quantified.variable)) else { return None };
        let at = indices.iter().position(|index| *index == line)?;
        (*of == field && indices.len() + usize::from(is_whole) == 2).then_some(at)
    });
    let mut found = [false; 2];
    lines.for_each(|at| found[at] = true);
    format.field(field).dimensions.len() == 2 && found == [true; 2]
}

fn has_distinct_texts(format: &Format, field: FieldId) -> bool {
    let info = format.field(field);
    let has_rows = info.alphabet().is_some() && info.has_free_length() && info.dimensions.len() == 2;
    has_rows && format.text_pattern(field).is_none() && format.requires_distinct_rows(field)
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

fn size_expressions(format: &Format) -> impl Iterator<Item = &Expr> {
    let dimensions = format.fields.iter().flat_map(|f| &f.dimensions).filter_map(declared_size);
    let counts = format.blocks.iter().flat_map(|b| match &b.count {
        InstanceCount::Times(count) => vec![count],
        InstanceCount::Conditional(comparisons) => comparisons.iter().flat_map(|c| c.all_operands()).collect(),
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

/// Returns the number of forms of the first choice directly inside a block.
fn count_forms(format: &Format, block: BlockId) -> usize {
    let forms = |item: &LayoutItem| if let LayoutItem::Either(forms) = item { Some(forms.len()) } else { None };
    format.block(block).items.iter().find_map(forms).unwrap_or(0)
}

// The parts of constraints that bound sums, counts and products, found once for each format.

/// Returns the bound that a comparison puts on the sum of a field's elements.
pub(super) fn sum_bound(field: FieldId, comparison: &Comparison) -> Option<(ComparisonOperator, &Expr)> {
    let is_sum =
        |e: &Expr| matches!(e, Expr::Fold(FoldKind::Sum, FoldRange::Elements, inner) if **inner == Expr::Field(field));
    let (_, sign, other) = comparison.find_operand(|side| is_sum(side).then_some(()))?;
    (!other.mentions_field(field)).then_some((sign, other))
}

/// Returns true if an expression counts letters of a field.
pub(super) fn counts_letters(expr: &Expr, field: FieldId) -> bool {
    expr.any_part(&|part| match part {
        Expr::Fold(FoldKind::Count(_), FoldRange::Elements, inner) => Some(**inner == Expr::Field(field)),
        Expr::Negate(_) | Expr::Call(..) | Expr::Binary(..) => None,
        _ => Some(false),
    })
}

/// Returns the optional block that a constraint aggregates over, if there is one.
pub(super) fn aggregated_occurrences(constraint: &Constraint) -> Option<FoldRange> {
    let of_comparison = || {
        let comparison = constraint.rule.comparison()?;
        comparison.all_operands().find_map(folded_occurrences)
    };
    let of_rule = constraint.rule.kind().range().or_else(of_comparison);
    of_rule.filter(|over| matches!(over, FoldRange::Occurrences(_)))
}

fn folded_occurrences(expr: &Expr) -> Option<FoldRange> {
    expr.find_part(&mut |part| match part {
        Expr::Fold(_, over @ FoldRange::Occurrences(_), _) => ControlFlow::Break(Some(*over)),
        Expr::Element(..) => ControlFlow::Break(None),
        _ => ControlFlow::Continue(()),
    })
}

/// Returns true if one side of a comparison is a product of two fields.
pub(super) fn mentions_product(comparison: &Comparison) -> bool {
    comparison.all_operands().any(|side| product_fields(side).is_some())
}

/// Returns the two fields that an expression multiplies.
pub(super) fn product_fields(expr: &Expr) -> Option<(FieldId, FieldId)> {
    let Expr::Binary(ArithmeticOperator::Multiply, left, right) = expr else { return None };
    match (&**left, &**right) {
        (Expr::Field(a), Expr::Field(b)) => Some((*a, *b)),
        _ => None,
    }
}

/// A bound on a sum over the instances of a block.
pub(super) struct InstanceSumBound<'e> {
    /// The contribution of each instance.
    pub(super) contribution: &'e Expr,
    pub(super) over: FoldRange,
    /// The operator, with the sum on the left.
    pub(super) sign: ComparisonOperator,
    pub(super) other: &'e Expr,
}

/// Returns the bound that a comparison puts on a sum over a block.
pub(super) fn instance_sum_bound(child: BlockId, comparison: &Comparison) -> Option<InstanceSumBound<'_>> {
    let ((over, contribution), sign, other) = comparison.find_operand(|side| match side {
        Expr::Fold(FoldKind::Sum, over, each) if over.outermost_block() == Some(child) => Some((*over, &**each)),
        _ => None,
    })?;
    Some(InstanceSumBound { contribution, over, sign, other })
}
