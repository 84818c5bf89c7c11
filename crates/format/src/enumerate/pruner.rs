//! Pruning: constraints are checked as soon as the values they mention are chosen, and a branch is cut as soon
//! as one cannot hold any more.
//!
//! Pruning only saves work: [`crate::validate`] decides whether a complete input is valid. A kind of constraint
//! that the pruner does not know costs time, but not correctness.

use super::prefix::Prefix;
use super::prefix_ranges::PrefixRanges;
use crate::constraints::KnownPrefix;
use crate::language::{
    BlockId, Comparison, ComparisonOperator, Constraint, ConstraintRule, Expr, FieldDimension, FieldId, FoldKind,
    FoldRange, Format, Interval, RangeSource, can_hold, evaluate_range, narrow_range,
};
use crate::value::{self, InstanceSlots, ValueScope};

/// The constraints to check at each choice.
#[derive(Debug)]
pub(super) struct ConstraintPruner<'a> {
    format: &'a Format,
    fields: Vec<FieldPruning<'a>>,
    /// The fields that values chosen before them narrow, or comparisons with their lengths, in layout order.
    pub(super) narrowed_fields: Vec<FieldId>,
    /// For each block, the constraints that its list of instances can break.
    on_list: Vec<Vec<usize>>,
    /// For each block, the constraints with this home block.
    on_instance: Vec<Vec<usize>>,
}

/// The checks that can prune at a field.
#[derive(Debug)]
pub(super) struct FieldPruning<'a> {
    /// The constraints that one of its elements can break.
    on_leaf: Vec<usize>,
    /// The constraints on all elements of an array together.
    on_array: Vec<usize>,
    /// The comparisons with values chosen before it.
    narrowing_constraints: Vec<usize>,
    /// The comparisons that follow from those with numbers chosen later: `l <= n` from `l <= r` and `r <= n`.
    implied_comparisons: Vec<(Comparison, BlockId)>,
    /// The comparisons of folds over all elements of an array.
    pub(super) fold_comparisons: Vec<FoldComparison<'a>>,
    /// The constraints that may relate elements of an array to each other: on single ones, or on sums of its rows.
    pub(super) relating_constraints: Vec<usize>,
    /// Whether its value can affect later choices.
    pub(super) has_effects: bool,
    /// Whether its value affects the number of later elements.
    pub(super) decides_size: bool,
}

impl<'a> ConstraintPruner<'a> {
    pub(super) fn new(format: &'a Format) -> Self {
        let redundant: Vec<bool> = format.constraints.iter().map(|c| is_redundant(format, c)).collect();
        let chosen = |of: &dyn Fn(&Constraint) -> bool| -> Vec<usize> {
            let numbered = format.constraints.iter().enumerate();
            numbered.filter(|(i, c)| !redundant[*i] && of(c)).map(|(i, _)| i).collect()
        };
        let decides_size = find_size_deciders(format);
        let mut fields: Vec<FieldPruning<'a>> = format
            .field_ids()
            .map(|field| FieldPruning {
                on_leaf: chosen(&|c| elements_can_break_rule(format, &c.rule, field)),
                on_array: chosen(&|c| !format.field(field).is_scalar() && can_break_rule(format, &c.rule, field)),
                narrowing_constraints: chosen(&|c| can_narrow(format, c, field)),
                implied_comparisons: implied_comparisons(format, field),
                fold_comparisons: find_fold_comparisons(format, field),
                relating_constraints: chosen(&|c| may_relate(format, c, field)),
                has_effects: has_effects(format, field),
                decides_size: decides_size[field.0],
            })
            .collect();
        for constraint in &format.constraints {
            for comparison in constraint.rule.kind().implied_comparisons(format) {
                for field in format.field_ids() {
                    if format.field(field).is_scalar() && comparison.mentions_field(field) {
                        fields[field.0].implied_comparisons.push((comparison.clone(), constraint.home_block));
                    }
                }
            }
        }
        let is_narrowed = |f: &FieldId| {
            let FieldPruning { narrowing_constraints, implied_comparisons, .. } = &fields[f.0];
            let by_others = !narrowing_constraints.is_empty() || !implied_comparisons.is_empty();
            by_others || format.field(*f).has_free_length() && format.constraints.iter().any(|c| compares_length(c, *f))
        };
        ConstraintPruner {
            format,
            narrowed_fields: format.field_ids().filter(is_narrowed).collect(),
            on_list: format.block_ids().map(|b| chosen(&|c| constrains_list(format, c, b))).collect(),
            on_instance: format.block_ids().map(|b| chosen(&|c| c.home_block == b)).collect(),
            fields,
        }
    }

    /// Returns the checks that can prune at a field.
    pub(super) fn of_field(&self, field: FieldId) -> &FieldPruning<'a> {
        &self.fields[field.0]
    }

    /// Returns true if the last chosen leaf breaks no constraint.
    pub(super) fn leaf_fits(&self, prefix: &Prefix, field: FieldId) -> bool {
        self.all_fit(&self.of_field(field).on_leaf, prefix)
    }

    /// Like `leaf_fits`, after the last element of an array.
    pub(super) fn array_fits(&self, prefix: &Prefix, field: FieldId) -> bool {
        self.all_fit(&self.of_field(field).on_array, prefix)
    }

    /// Like `leaf_fits`, after the last instance of a block.
    pub(super) fn list_fits(&self, prefix: &Prefix, block: BlockId) -> bool {
        self.all_fit(&self.on_list[block.0], prefix)
    }

    /// Like `leaf_fits`, after the innermost instance is complete.
    pub(super) fn instance_fits(&self, prefix: &Prefix, block: BlockId) -> bool {
        self.all_fit(&self.on_instance[block.0], prefix)
    }

    fn all_fit(&self, constraints: &[usize], prefix: &Prefix) -> bool {
        constraints.is_empty()
            || prefix.with_innermost(self.format, |scope| {
                let known = PrefixRanges { scope, prefix };
                constraints
                    .iter()
                    .map(|i| &self.format.constraints[*i])
                    .all(|c| c.rule.kind().may_still_hold(c.home_block, &known))
            })
    }

    /// Returns the range that remains for the next number of a field.
    pub(super) fn remaining_range(&self, field: FieldId, known: &PrefixRanges<'_, '_>) -> Interval {
        let declared = self.format.field(field).range;
        self.narrowing_comparisons(field).fold(declared, |range, (comparison, home)| {
            if known.always_applies(comparison, home) { narrow_range(field, range, comparison, known) } else { range }
        })
    }

    /// Returns the comparisons that narrow a field by values chosen before it, with their home blocks.
    pub(super) fn narrowing_comparisons(&self, field: FieldId) -> impl Iterator<Item = (&Comparison, BlockId)> {
        let declared = self.comparisons_among(&self.of_field(field).narrowing_constraints);
        declared.chain(self.of_field(field).implied_comparisons.iter().map(|(comparison, home)| (comparison, *home)))
    }

    /// Returns the comparisons that a single number can break.
    pub(super) fn comparisons_on(&self, field: FieldId) -> impl Iterator<Item = (&Comparison, BlockId)> {
        self.comparisons_among(&self.of_field(field).on_leaf)
    }

    fn comparisons_among(&self, constraints: &[usize]) -> impl Iterator<Item = (&Comparison, BlockId)> {
        let constraints = constraints.iter().map(|i| &self.format.constraints[*i]);
        constraints.filter_map(|constraint| Some((constraint.rule.comparison()?, constraint.home_block)))
    }

    /// Returns true if every number that [`remaining_range`](ConstraintPruner::remaining_range) leaves
    /// satisfies all constraints on the field, independently of all other choices.
    pub(super) fn is_independent(&self, field: FieldId, known: &PrefixRanges<'_, '_>) -> bool {
        self.of_field(field).on_leaf.iter().all(|i| {
            let Constraint { rule, home_block: home, .. } = &self.format.constraints[*i];
            let Some(comparison) = rule.comparison() else { return false };
            self.of_field(field).narrowing_constraints.contains(i)
                && known.always_applies(comparison, *home)
                && is_exact_bound(field, comparison, *home, known)
        })
    }
}

/// Returns true if the pruner knows which fields a rule mentions and when it is decided. Other rules only make
/// counting slower.
pub(super) fn is_understood(rule: &ConstraintRule) -> bool {
    rule.kind().is_countable() && !rule.expressions().iter().any(|expr| folds_occurrences(expr))
}

fn folds_occurrences(expr: &Expr) -> bool {
    expr.any_part(&|part| matches!(part, Expr::Fold(_, FoldRange::Occurrences(_), _)).then_some(true))
}

/// Returns true if an element of the field, or a part that the field sizes, can break a rule.
fn can_break_rule(format: &Format, rule: &ConstraintRule, field: FieldId) -> bool {
    rule.involves_field(field) || rule.expressions().iter().any(|e| format.depends_on(e, field))
}

/// Like `can_break_rule`, except for rules that only the length of the field can break.
fn elements_can_break_rule(format: &Format, rule: &ConstraintRule, field: FieldId) -> bool {
    let only_length = |e: &Expr| !format.field(field).is_scalar() && !mentions_elements(e, field);
    can_break_rule(format, rule, field)
        && !(rule.kind().is_decided_by_expressions() && rule.expressions().into_iter().all(only_length))
}

fn mentions_elements(expr: &Expr, field: FieldId) -> bool {
    expr.any_part(&|part| match part {
        Expr::Field(own) | Expr::Element(own, _) if *own == field => Some(true),
        _ => None,
    })
}

/// Returns true if a constraint involves the instances of a block together.
fn constrains_list(format: &Format, constraint: &Constraint, block: BlockId) -> bool {
    let kind = constraint.rule.kind();
    kind.range().is_some_and(|over| format.blocks_between(over).any(|at| at == block))
        || constraint.home_block != block
            && format.is_within(block, constraint.home_block)
            && kind.expressions().iter().any(|e| folds_instances(format, e, block))
}

/// Returns true if an expression folds over the instances of a block.
pub(super) fn folds_instances(format: &Format, expr: &Expr, block: BlockId) -> bool {
    expr.any_part(&|part| match part {
        // The element of any repetition.
        Expr::Element(..) => Some(true),
        Expr::Fold(_, over, _) => format.blocks_between(*over).any(|at| at == block).then_some(true),
        _ => None,
    })
}

/// Returns true if the declared ranges alone imply a comparison.
fn is_redundant(format: &Format, constraint: &Constraint) -> bool {
    let Some(comparison) = constraint.rule.comparison() else { return false };
    let Some((left, right)) = comparison.single_operands() else { return false };
    let scope = ValueScope::new(format, BlockId(0), InstanceSlots::Known(&[]), None);
    let known = PrefixRanges { scope: &scope, prefix: &Prefix::new_empty() };
    let plain = |e: &Expr| matches!(e, Expr::Constant(_) | Expr::Field(_));
    plain(left) && plain(right) && {
        let (left, right) = (evaluate_range(left, &known), evaluate_range(right, &known));
        !can_hold(left, comparison.sign.negate_operator(), right)
    }
}

/// Returns true if a comparison can narrow a field's declared range by a value chosen earlier.
fn can_narrow(format: &Format, constraint: &Constraint, field: FieldId) -> bool {
    let Some(comparison) = constraint.rule.comparison() else { return false };
    if !can_break_rule(format, &constraint.rule, field) || format.field(field).alphabet().is_some() {
        return false;
    }
    let mut earlier = false;
    comparison.all_operands().for_each(|e| e.visit_fields(&mut |f| earlier |= f.0 < field.0));
    earlier
}

/// Returns true if a comparison bounds the length of a field.
fn compares_length(constraint: &Constraint, field: FieldId) -> bool {
    let Some(comparison) = constraint.rule.comparison() else { return false };
    comparison.all_operands().any(|e| *e == Expr::Length(field))
}

/// Returns true if a constraint may relate elements of an array to each other, as in
/// [`ArrayRelations`](super::linear_relations::ArrayRelations).
fn may_relate(format: &Format, constraint: &Constraint, field: FieldId) -> bool {
    let info = format.field(field);
    if info.is_scalar() || info.has_free_length() {
        return false;
    }
    constraint.rule.kind().may_relate_elements(field)
}

/// Returns true if a field affects others: it sizes something, or is compared with another field.
fn has_effects(format: &Format, field: FieldId) -> bool {
    is_size_of_any(format, field)
        || format.constraints.iter().any(|constraint| {
            let mut others = false;
            constraint.rule.expressions().iter().for_each(|e| e.visit_fields(&mut |f| others |= f != field));
            can_break_rule(format, &constraint.rule, field) && (others || constraint.rule.kind().bounds_ends())
        })
}

/// Returns for each field whether it sizes something, or is compared with a length or with a later field that
/// does.
fn find_size_deciders(format: &Format) -> Vec<bool> {
    let mut decides: Vec<bool> = (0..format.fields.len()).map(|f| is_size_of_any(format, FieldId(f))).collect();
    // From the last field to the first, so that later fields are decided.
    for field in (0..format.fields.len()).rev() {
        decides[field] |= format.constraints.iter().any(|constraint| {
            let mut with_size = false;
            let mut visit = |expr: &Expr| {
                with_size |= matches!(expr, Expr::Length(_));
                expr.visit_fields(&mut |f| with_size |= f.0 > field && decides[f.0]);
            };
            let implied = constraint.rule.kind().implied_comparisons(format);
            let comparisons = constraint.rule.comparison().into_iter().chain(&implied);
            comparisons.flat_map(|c| c.all_operands()).for_each(&mut visit);
            with_size && constraint.rule.mentions_field(FieldId(field))
        });
    }
    decides
}

fn is_size_of_any(format: &Format, field: FieldId) -> bool {
    let mut dimensions = format.fields.iter().flat_map(|f| &f.dimensions);
    dimensions.any(|d| matches!(d, FieldDimension::Size(size) if size.mentions_field(field)))
        || format.blocks.iter().any(|block| block.count.mentions_field(field))
}

/// Returns the comparisons that follow from those with later numbers of the same block, which exist whenever
/// this one does.
fn implied_comparisons(format: &Format, field: FieldId) -> Vec<(Comparison, BlockId)> {
    let mut found = Vec::new();
    if format.field(field).alphabet().is_some() {
        return found;
    }
    // Breadth-first search over chains of comparisons, starting from `field = field`.
    let mut reached = vec![(field, ComparisonOperator::Equal)];
    let mut at = 0;
    while let Some((via, sign)) = reached.get(at).copied() {
        at += 1;
        for (other, further, home) in bounding_comparisons(format, via) {
            let Some(sign) = compose_signs(sign, further) else { continue };
            match other {
                Expr::Field(later) if follows_in_block(format, field, *later) => {
                    if !reached.iter().any(|(known, by)| *known == *later && *by == sign) {
                        reached.push((*later, sign));
                    }
                }
                _ if via == field => {}
                _ => {
                    let mut earlier = true;
                    other.visit_fields(&mut |f| earlier &= f.0 < field.0);
                    if earlier {
                        found.push((Comparison::new(Expr::Field(field), sign, other.clone()), home));
                    }
                }
            }
        }
    }
    found
}

/// Returns the expressions that a field alone is compared with, and the operators with the field on the left.
fn bounding_comparisons(format: &Format, field: FieldId) -> impl Iterator<Item = (&Expr, ComparisonOperator, BlockId)> {
    format.constraints.iter().filter_map(move |constraint| {
        let (sign, other) = bound_by_other_side(format, field, constraint.rule.comparison()?)?;
        Some((other, sign, constraint.home_block))
    })
}

/// Returns true if another number is chosen after a field, and exists whenever the field does.
fn follows_in_block(format: &Format, field: FieldId, other: FieldId) -> bool {
    let (here, there) = (format.field(field), format.field(other));
    field.0 < other.0 && here.block == there.block && here.is_scalar() && there.is_scalar()
}

/// Returns the relation between the first and the last of three numbers, if the operators imply one.
fn compose_signs(first: ComparisonOperator, second: ComparisonOperator) -> Option<ComparisonOperator> {
    use ComparisonOperator::{Equal, Greater, GreaterEqual, Less, LessEqual};
    match (first, second) {
        (ComparisonOperator::NotEqual, _) | (_, ComparisonOperator::NotEqual) => None,
        (Equal, sign) | (sign, Equal) => Some(sign),
        (Less, Less | LessEqual) | (LessEqual, Less) => Some(Less),
        (Greater, Greater | GreaterEqual) | (GreaterEqual, Greater) => Some(Greater),
        (LessEqual, LessEqual) => Some(LessEqual),
        (GreaterEqual, GreaterEqual) => Some(GreaterEqual),
        _ => None,
    }
}

/// Returns true if a comparison bounds the field by an expression that is one known number.
fn is_exact_bound(field: FieldId, comparison: &Comparison, home: BlockId, known: &PrefixRanges<'_, '_>) -> bool {
    let format = known.format();
    let Some((_, other)) = bound_by_other_side(format, field, comparison) else { return false };
    let mut earlier = home == format.field(field).block && comparison.sign != ComparisonOperator::NotEqual;
    other.visit_fields(&mut |f| earlier &= f.0 < field.0);
    earlier
        && known.is_settled(other)
        && !value::is_array_expr(other, known.scope)
        && value::evaluate_number(other, known.scope).is_ok()
}

/// Returns the operator and the other side of a comparison in which a field alone is one side.
fn bound_by_other_side<'e>(
    format: &Format,
    field: FieldId,
    comparison: &'e Comparison,
) -> Option<(ComparisonOperator, &'e Expr)> {
    let (_, sign, other) = comparison.find_operand(|side| (*side == Expr::Field(field)).then_some(()))?;
    (!format.depends_on(other, field)).then_some((sign, other))
}

// Comparisons of a fold over an array with an expression that does not depend on the array.

/// A fold over all elements of an array, compared with an expression.
#[derive(Clone, Debug)]
pub(super) struct FoldComparison<'a> {
    pub(super) fold: FoldKind,
    pub(super) sign: ComparisonOperator,
    pub(super) other: &'a Expr,
    pub(super) comparison: &'a Comparison,
    pub(super) home: BlockId,
}

/// Returns the comparisons of folds over a field with something else.
pub(super) fn find_fold_comparisons(format: &Format, field: FieldId) -> Vec<FoldComparison<'_>> {
    let fold_of = |side: &Expr| match side {
        Expr::Fold(fold, FoldRange::Elements, inner) if **inner == Expr::Field(field) => Some(*fold),
        _ => None,
    };
    let bounds = format.constraints.iter().filter_map(|constraint| {
        let comparison = constraint.rule.comparison()?;
        let (fold, sign, other) = comparison.find_operand(fold_of)?;
        let bound = FoldComparison { fold, sign, other, comparison, home: constraint.home_block };
        (!format.depends_on(other, field)).then_some(bound)
    });
    bounds.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use rebut_diagnostics::SourceText;

    fn parse_format(text: &str) -> Format {
        Format::parse(&SourceText::new("test", text)).unwrap().0
    }

    #[test]
    fn only_folds_over_all_elements_against_something_else_are_found() {
        let text = "n; a[n]; b[n] where 1 <= n <= 9; 0 <= a, b <= 9; sum(a) <= 20; 3 <= max(a); sum(a) = sum(b); min(a) > a[1]";
        let format = parse_format(text);
        let found = find_fold_comparisons(&format, format.field_named("a").unwrap());
        let signs: Vec<(FoldKind, ComparisonOperator)> = found.iter().map(|fold| (fold.fold, fold.sign)).collect();
        let expected = [
            (FoldKind::Sum, ComparisonOperator::LessEqual),
            (FoldKind::Max, ComparisonOperator::GreaterEqual),
            (FoldKind::Sum, ComparisonOperator::Equal),
        ];
        assert_eq!(signs, expected);
    }
}
