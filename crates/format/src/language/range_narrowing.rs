//! Narrowing of the declared ranges of fields and lengths by all constraints.

use crate::model::{
    BlockId, Comparison, ComparisonOperator, DeclaredRanges, Expr, FieldId, FoldKind, Format, Interval, MAX_NUMBER,
    RangeSource, block_always_exists, element_count_range, evaluate_range, instance_count_range, is_always_evaluated,
    is_never_empty, narrow_by_operator, narrow_range,
};
use crate::tuning::MAX_NARROWING_ROUNDS;
use rebut_diagnostics::{Diagnostic, Severity, Span};
use std::collections::HashSet;

/// Narrows the ranges by every comparison until nothing changes. A field without any possible value is a contradiction
/// if it occurs in every input. Otherwise it occurs in no input, which the returned warnings report.
pub(super) fn narrow_all_ranges(format: &mut Format, problems: &mut Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut absent = Vec::new();
    let mut narrowed = HashSet::new();
    for _ in 0..MAX_NARROWING_ROUNDS {
        let mut changed = false;
        for i in 0..format.constraints.len() {
            let constraint = format.constraints[i].clone();
            let Some(comparison) = constraint.rule.kind().narrowing_comparison(format) else { continue };
            for id in format.affecting_fields(comparison.all_operands()) {
                if !always_applies(format, Some(id), constraint.home_block, &comparison) {
                    continue;
                }
                match narrow_field(format, id, &comparison) {
                    NarrowingEffect::Unchanged => {}
                    NarrowingEffect::Narrowed => {
                        narrowed.insert((i, id));
                        changed = true;
                    }
                    NarrowingEffect::Emptied => {
                        let problem = never_error(format, id, constraint.span, narrowed.contains(&(i, id)));
                        if is_in_every_input(format, id, &comparison) {
                            problems.push(problem);
                            return Vec::new();
                        }
                        let could_be = occurrence_range(format, id).hi >= 1;
                        changed |= drop_empty_block(format, id);
                        if could_be {
                            let note = format!("so `{}` cannot occur in any input", format.field(id).name);
                            absent.push(Diagnostic { severity: Severity::Warning, ..problem }.with_note(note));
                        }
                    }
                }
            }
        }
        if !changed {
            break;
        }
    }
    let mut reported = HashSet::new();
    absent.retain(|warning| reported.insert(warning.message.clone()));
    absent
}

/// The effect of a comparison on a field's range or free length.
enum NarrowingEffect {
    Unchanged,
    Narrowed,
    /// Nothing would be left, so the field keeps its previous range.
    Emptied,
}

fn narrow_field(format: &mut Format, id: FieldId, comparison: &Comparison) -> NarrowingEffect {
    let (range, length) = narrowed_ranges(format, id, comparison);
    let field = &mut format.fields[id.0];
    if range == field.range && length == field.length {
        return NarrowingEffect::Unchanged;
    }
    if range.is_empty() || length.is_empty() {
        return NarrowingEffect::Emptied;
    }
    (field.range, field.length) = (range, length);
    NarrowingEffect::Narrowed
}

/// Reports a comparison that leaves no value for a field. The range until then is what the *other* constraints
/// allow only if this comparison has not narrowed it before, as one of `a < b` and `b < a` does in turns.
fn never_error(format: &Format, id: FieldId, span: Span, has_narrowed: bool) -> Diagnostic {
    let field = format.field(id);
    let caret = match has_narrowed {
        true => "together with the other constraints, it excludes every value".to_owned(),
        false => format!("the other constraints allow {}", format_interval(field.range)),
    };
    Diagnostic::error("never", span, format!("no value of `{}` can satisfy this", field.name)).with_caret(caret)
}

/// Returns the range of the number of values of a field per input; it starts at 0 if an enclosing block or array can
/// be empty.
pub(super) fn occurrence_range(format: &Format, id: FieldId) -> Interval {
    let stated = DeclaredRanges(format);
    let field = format.field(id);
    // A text of an impossible length does not exist; it is not an empty text.
    let rank = field.dimensions.len() - usize::from(field.has_free_length());
    let mut times = element_count_range(id, rank, &stated);
    let mut at = field.block;
    while at != BlockId(0) {
        let here = instance_count_range(at, &stated).intersect(Interval::NATURAL);
        times = Interval::new(times.lo.saturating_mul(here.lo), times.hi.saturating_mul(here.hi));
        at = format.block(at).parent.unwrap_or(BlockId(0));
    }
    times
}

/// Returns true if a field without possible values is a contradiction. An empty range between constant bounds is a
/// mistake even for a field that need not occur: it is never intended.
fn is_in_every_input(format: &Format, id: FieldId, comparison: &Comparison) -> bool {
    occurrence_range(format, id).lo >= 1 || format.affecting_fields(comparison.all_operands()) == [id]
}

/// Fixes a count at 0 if its block contains a field without possible values. Returns true if that is new.
fn drop_empty_block(format: &mut Format, id: FieldId) -> bool {
    let range = &mut format.fields[id.0].range;
    if range.lo == -MAX_NUMBER || range.hi == MAX_NUMBER {
        // No value will be drawn, so no further bounds are required.
        *range = Interval::from_value(range.simplest_value());
    }
    let field = format.field(id);
    let block = format.block(field.block);
    let Some(count) = block.count.times_expr().filter(|_| field.is_scalar()).cloned() else { return false };
    let home = block.parent.unwrap_or(BlockId(0));
    let none = Comparison::new(count, ComparisonOperator::LessEqual, Expr::Constant(0));
    let mut changed = false;
    for id in format.affecting_fields(none.left.iter()) {
        changed |= always_applies(format, Some(id), home, &none)
            && matches!(narrow_field(format, id, &none), NarrowingEffect::Narrowed);
    }
    changed
}

/// Returns true if a comparison is evaluated at least once for each value of a field (without a field, once for each
/// input). It is not if an array in it, or a block around the constraint's home block but not around the field, can be
/// empty. Then it does not bound the field: with `1 <= a <= n`, `n` can be 0 if `a` has no elements.
pub(crate) fn always_applies(format: &Format, field: Option<FieldId>, home: BlockId, comparison: &Comparison) -> bool {
    let stated = DeclaredRanges(format);
    let from = field.map_or(BlockId(0), |f| format.field(f).block);
    let exists = |block| format.is_within(from, block);
    if field.is_some_and(|f| !format.field(f).is_scalar()) {
        // If an array has an element, so has any array of the same length.
        return block_always_exists(home, &stated, exists)
            && comparison.all_operands().all(|e| has_elements(e, &stated));
    }
    is_always_evaluated(comparison, home, &stated, exists)
}

/// Returns true if an expression is guaranteed to have a value for each element of an array that it is compared with.
fn has_elements(expr: &Expr, ranges: &impl RangeSource) -> bool {
    expr.all_parts(&|part| match part {
        Expr::Field(_) | Expr::Length(_) => Some(true),
        Expr::Element(field, indices) if ranges.format().picks_row(*field, indices) => Some(true),
        Expr::Negate(_) | Expr::Call(..) | Expr::Binary(..) => None,
        _ => Some(is_never_empty(part, ranges)),
    })
}

/// Returns the bound on each element that a bound on a fold implies: `sum(n) <= 2e5` bounds each `n` if no term is
/// negative, an upper bound on a maximum bounds each term from above, and a lower bound on a minimum from below.
/// Nested folds are unwrapped until the field is no longer folded.
fn bound_on_each_element(format: &Format, field: FieldId, comparison: &Comparison) -> Option<Comparison> {
    let ((fold, each), sign, bound) = comparison.find_operand(|side| match side {
        Expr::Fold(fold, _, each) => Some((*fold, &**each)),
        _ => None,
    })?;
    let is_upper = matches!(sign, ComparisonOperator::Less | ComparisonOperator::LessEqual | ComparisonOperator::Equal);
    let is_lower =
        matches!(sign, ComparisonOperator::Greater | ComparisonOperator::GreaterEqual | ComparisonOperator::Equal);
    let sign = match fold {
        FoldKind::Sum if is_upper && evaluate_range(each, &DeclaredRanges(format)).lo >= 0 => as_upper_bound(sign),
        FoldKind::Max if is_upper => as_upper_bound(sign),
        FoldKind::Min if is_lower => as_upper_bound(sign.with_sides_swapped()).with_sides_swapped(),
        _ => return None,
    };
    let each = Comparison { decimals: comparison.decimals, ..Comparison::new(each.clone(), sign, bound.clone()) };
    let is_folded = each.all_operands().any(|e| format.folds_field(e, field));
    if is_folded { bound_on_each_element(format, field, &each).or(Some(each)) } else { Some(each) }
}

/// Returns the upper bound that a comparison operator implies.
fn as_upper_bound(sign: ComparisonOperator) -> ComparisonOperator {
    if sign == ComparisonOperator::Less { ComparisonOperator::Less } else { ComparisonOperator::LessEqual }
}

/// Returns a field's range and free length after narrowing by one comparison.
fn narrowed_ranges(format: &Format, id: FieldId, comparison: &Comparison) -> (Interval, Interval) {
    let field = format.field(id);
    let stated = DeclaredRanges(format);
    let length =
        if field.has_free_length() { narrow_free_length(id, field.length, comparison, &stated) } else { field.length };
    if field.alphabet().is_none() {
        let folded = comparison.all_operands().any(|e| format.folds_field(e, id));
        let each = if folded { bound_on_each_element(format, id, comparison) } else { None };
        return (narrow_range(id, field.range, each.as_ref().unwrap_or(comparison), &stated), length);
    }
    (field.range, length)
}

/// Returns the part of a free length's range that a comparison allows.
pub(crate) fn narrow_free_length(
    id: FieldId,
    length: Interval,
    comparison: &Comparison,
    ranges: &impl RangeSource,
) -> Interval {
    let bound = comparison.find_operand(|side| (*side == Expr::Length(id)).then_some(()));
    bound.map_or(length, |(_, sign, other)| narrow_by_operator(length, sign, evaluate_range(other, ranges)))
}

pub(super) fn format_interval(range: Interval) -> String {
    match (range.lo == -MAX_NUMBER, range.hi == MAX_NUMBER) {
        (false, false) if range.lo == range.hi => range.lo.to_string(),
        (true, true) => "any number".to_owned(),
        (true, false) => format!("at most {}", range.hi),
        (false, true) => format!("at least {}", range.lo),
        (false, false) => format!("{}..{}", range.lo, range.hi),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use rebut_diagnostics::SourceText;

    fn parse_format(text: &str) -> Format {
        Format::parse(&SourceText::new("test", text)).unwrap().0
    }

    fn range_of(text: &str, name: &str) -> (i128, i128) {
        let format = parse_format(text);
        let range = format.field(format.field_named(name).unwrap()).range;
        (range.lo, range.hi)
    }

    #[test]
    fn ranges_are_narrowed_through_chains_and_folds() {
        assert_eq!(range_of("n m where 1 <= n <= m <= 9", "n"), (1, 9));
        assert_eq!(range_of("n m where 2 <= n < m <= 9", "m"), (3, 9));
        assert_eq!(range_of("n m where 1 <= n, m <= 100; n * m <= 12; m >= 4", "n"), (1, 3));
        assert_eq!(range_of("n; a[n] where 1 <= n <= 9; a >= 0; sum(a) <= 7", "a"), (0, 7));
        // A term can be larger if others can be negative.
        assert_eq!(range_of("n; a[n] where 1 <= n <= 9; -5 <= a <= 50; sum(a) <= 7", "a"), (-5, 50));
    }

    #[test]
    fn arrays_that_can_be_empty_bound_nothing_outside() {
        assert_eq!(range_of("n m; a[n] where 0 <= n <= 9; 0 <= m <= 9; 1 <= a <= m", "m"), (0, 9));
        assert_eq!(range_of("n m; a[n] where 1 <= n <= 9; 0 <= m <= 9; 1 <= a <= m", "m"), (1, 9));
    }
}
