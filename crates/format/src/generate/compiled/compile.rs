//! Compiles blocks: comparisons of sums become sums of places.

use super::super::alphabet::Alphabet;
use super::super::plan::{GenerationPlan, is_declared_bound};
use super::{
    CompiledArray, CompiledBlock, CompiledBound, CompiledConstraint, CompiledLinear, CompiledNumber, MAX_MAGNITUDE,
    MAX_NUMBERS, MAX_PARTS, MAX_SUMS, OuterNumber,
};
use crate::language::{
    BlockId, Comparison, ComparisonOperator, Expr, FieldDimension, FieldId, FieldKind, FieldPosition, InstanceCount,
    Interval, narrow_by_operator,
};

impl CompiledBlock {
    /// Compiles a block. Returns `None` if anything in it cannot be compiled.
    pub(in crate::generate) fn compile_block(plan: &GenerationPlan<'_>, block: BlockId) -> Option<CompiledBlock> {
        let (format, parts) = (plan.format, plan.block_plan(block));
        let counted = !matches!(format.block(block).count, InstanceCount::Until { sentinel: Some(_), .. });
        let alone = !parts.has_blocks && !parts.has_products && !parts.has_formulas;
        if block == BlockId(0) || !counted || !alone || plan.format.has_edges(block) {
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
        let mut compiler = BlockCompiler { plan, block, compiled };
        (fits && compiler.compile_fields()).then_some(compiler.compiled)
    }
}

struct BlockCompiler<'p> {
    plan: &'p GenerationPlan<'p>,
    block: BlockId,
    /// The block as far as it is compiled.
    compiled: CompiledBlock,
}

impl BlockCompiler<'_> {
    /// Compiles the fields and constraints of the block. Returns false if one of them cannot be compiled.
    fn compile_fields(&mut self) -> bool {
        let plan = self.plan;
        let parts = plan.block_plan(self.block);
        if parts.sizes.iter().any(|field| plan.field_plan(*field).is_start) {
            return false;
        }
        for field in &parts.sizes {
            let Some(mut number) = self.compile_number(*field) else { return false };
            let (declared, sizes) = (&self.compiled.declared, &self.compiled.sizes);
            let width = declared.len();
            let is_later = |(place, _): &(usize, bool)| *place < width && sizes.iter().all(|s| s.slot != *place);
            // Numbers drawn later are unknown when a size is drawn, and sizes are never redrawn. So a bound by
            // such numbers only is constant, and is dropped if the declared range implies it.
            number.bounds.retain(|bound| {
                let range = declared[number.slot];
                !bound.other.terms.iter().all(is_later)
                    || narrow_by_operator(range, bound.sign, bound.other.possible_range(declared)) != range
            });
            self.compiled.sizes.push(number);
        }
        for field in &parts.other_scalars {
            let Some(number) = self.compile_number(*field) else { return false };
            self.compiled.other_scalars.push(number);
        }
        for field in &parts.arrays {
            let Some(array) = self.compile_array(*field) else { return false };
            self.compiled.arrays.push(array);
        }
        self.compiled.arrays.is_sorted_by_key(|array| array.slot)
            && plan.home_constraints(self.block).iter().all(|c| self.compile_constraint(*c))
    }

    fn compile_number(&mut self, field: FieldId) -> Option<CompiledNumber> {
        let slot = self.plan.format.field(field).slot;
        let at = self.compiled.scalar_slots.iter().position(|other| *other == slot)?;
        Some(CompiledNumber { field, slot, position: at, bounds: self.compile_bounds(field)? })
    }

    fn compile_array(&mut self, field: FieldId) -> Option<CompiledArray> {
        let info = self.plan.format.field(field);
        let size = |dimension: &FieldDimension| match dimension {
            FieldDimension::Size(size) => self.compile_sum(size, false),
            FieldDimension::Free => None,
        };
        let sizes = info.dimensions.iter().map(size).collect::<Option<Vec<CompiledLinear>>>()?;
        let bounds = self.compile_bounds(field)?;
        let letters = info.alphabet().map(Alphabet::new);
        (sizes.len() <= 2).then_some(CompiledArray { field, slot: info.slot, sizes, bounds, letters })
    }

    /// Compiles the comparisons that narrow a field beyond its declared range.
    fn compile_bounds(&mut self, field: FieldId) -> Option<Vec<CompiledBound>> {
        let mut bounds = Vec::new();
        for narrowing in &self.plan.field_plan(field).narrowings {
            let (sign, other) = match narrowing.bound {
                Some((sign, other)) => (sign, self.compile_sum(other, self.plan.is_size(field))?),
                None => self.solve_for_field(field, narrowing.comparison)?,
            };
            self.compiled.has_optional_bounds |= !narrowing.always_applies;
            bounds.push(CompiledBound { constraint: narrowing.constraint, sign, other });
        }
        Some(bounds)
    }

    /// Solves a comparison of sums for a single number that occurs in it once.
    fn solve_for_field(
        &mut self,
        field: FieldId,
        comparison: &Comparison,
    ) -> Option<(ComparisonOperator, CompiledLinear)> {
        let (info, is_size) = (self.plan.format.field(field), self.plan.is_size(field));
        let (left, right) = comparison.single_operands()?;
        if !info.is_scalar() || comparison.sign == ComparisonOperator::NotEqual {
            return None;
        }
        // Move everything to the left, leaving zero on the right.
        let mut rest = self.compile_sum(left, is_size)?;
        rest.subtract_sum(self.compile_sum(right, is_size)?);
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
    fn compile_constraint(&mut self, constraint: usize) -> bool {
        let Some(comparison) = self.plan.format.constraints[constraint].rule.comparison() else { return false };
        if holds_by_construction(self.plan, constraint, comparison) {
            return true;
        }
        let mut sums = |side: &[Expr]| {
            side.iter().map(|expr| self.compile_sum(expr, false)).collect::<Option<Vec<CompiledLinear>>>()
        };
        let Some((left, right)) = sums(&comparison.left).zip(sums(&comparison.right)) else { return false };
        let fits = left.len() == right.len() && left.len() <= MAX_SUMS;
        self.compiled.constraints.push(CompiledConstraint { constraint, sign: comparison.sign, left, right });
        fits
    }

    /// Compiles an expression into a sum of places. If `arrays`, an array of numbers of the block counts as its
    /// declared range.
    fn compile_sum(&mut self, expr: &Expr, arrays: bool) -> Option<CompiledLinear> {
        let mut sum = CompiledLinear { constant: 0, terms: Vec::new() };
        expr.visit_terms(&mut |term, is_negative| {
            match term {
                Expr::Constant(number) => {
                    let number = Some(*number).filter(|n| n.abs() <= MAX_MAGNITUDE)?;
                    sum.constant += if is_negative { -number } else { number };
                }
                Expr::Field(field) => sum.terms.push((self.place_of_field(*field, arrays)?, is_negative)),
                _ => return None,
            }
            Some(())
        })?;
        (sum.constant.abs() <= MAX_MAGNITUDE && sum.terms.len() <= MAX_PARTS).then_some(sum)
    }

    fn place_of_field(&mut self, field: FieldId, arrays: bool) -> Option<usize> {
        let info = self.plan.format.field(field);
        if info.block == self.block {
            let is_number = info.is_scalar() || arrays && !matches!(info.kind, FieldKind::Text(_));
            return is_number.then_some(info.slot);
        }
        if !info.is_scalar() || !self.plan.format.is_within(self.block, info.block) {
            return None;
        }
        let outer = OuterNumber { block: info.block, slot: info.slot };
        let known = &mut self.compiled.outer;
        let at = known.iter().position(|other| *other == outer).unwrap_or_else(|| {
            known.push(outer);
            known.len() - 1
        });
        Some(self.compiled.declared.len() + at)
    }
}

/// Returns true if a comparison holds once all of its numbers are drawn, because the last one is drawn within
/// the range that it leaves. Sizes come first, in their order, and are never redrawn; then the other single
/// numbers, any of which may be redrawn; arrays come last.
fn holds_by_construction(plan: &GenerationPlan<'_>, constraint: usize, comparison: &Comparison) -> bool {
    let (format, parts) = (plan.format, plan.block_plan(plan.home_block(constraint)));
    let kept = |field: FieldId| {
        let narrows = plan.field_plan(field).narrowings.iter().any(|n| n.constraint == constraint);
        FieldPosition::in_comparison(field, comparison, format)
            .is_some_and(|position| narrows || is_declared_bound(position, format.field(field).range))
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
