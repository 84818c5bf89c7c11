//! Classification of constraints for generation, computation of field ranges, and detection of contradictions.

use super::reachability::report_unreachable_bounds;
use crate::model::{
    BlockId, Class, Comparison, ComparisonOperator, ConstraintRule, DeclaredRanges, Expr, FieldDimension, FieldId,
    FoldKind, Format, Interval, LinearSum, MAX_NUMBER, RangeSource, can_hold, element_count_range, evaluate_range,
    instance_count_range, is_never_empty, narrow_by_operator, narrow_range,
};
use rebut_diagnostics::{Diagnostic, Severity, Span};
use std::collections::HashSet;

/// Computes the classes of constraints and the ranges of fields and lengths, and reports contradictions and missing
/// bounds.
pub(super) fn classify_constraints(format: &mut Format, problems: &mut Vec<Diagnostic>) {
    for i in 0..format.constraints.len() {
        format.constraints[i].class = constraint_class(format, &format.constraints[i].rule);
    }
    for i in 0..format.subtasks.len() {
        for j in 0..format.subtasks[i].constraints.len() {
            let class = constraint_class(format, &format.subtasks[i].constraints[j].rule);
            format.subtasks[i].constraints[j].class = class;
        }
    }
    for i in 0..format.fields.len() {
        format.fields[i].announced_length = announced_length_of(format, FieldId(i));
    }
    let before = problems.len();
    let absent = narrow_all_ranges(format, problems);
    if problems.len() == before {
        report_missing_bounds(format, problems);
        report_impossible(format, problems);
    }
    if problems.len() == before {
        report_unreachable_bounds(format, problems);
        problems.extend(absent);
    }
}

/// Returns the expression that the length of a field equals, if a constraint gives one that is known before the field
/// is read.
fn announced_length_of(format: &Format, field: FieldId) -> Option<Expr> {
    let info = format.field(field);
    let is_known = |expr: &Expr| {
        let fields =
            LinearSum::from_expr(expr).map(|sum| sum.factors.into_keys().collect::<Vec<FieldId>>()).unwrap_or_default();
        let is_before = |other: &FieldId| *other < field && format.is_within(info.block, format.field(*other).block);
        !fields.is_empty() && fields.iter().all(is_before)
    };
    let equalities = format.comparisons().filter(|comparison| comparison.sign == ComparisonOperator::Equal);
    let mut stated = equalities.filter_map(|comparison| match (&*comparison.left, &*comparison.right) {
        ([Expr::Length(of)], [other]) | ([other], [Expr::Length(of)]) if *of == field => Some(other),
        _ => None,
    });
    stated.find(|other| info.has_free_length() && is_known(other)).cloned()
}

/// Returns the location of a contradiction between the constraints of a format, if the ranges alone show one.
pub(super) fn find_contradiction(format: &mut Format) -> Option<Span> {
    let mut problems = Vec::new();
    narrow_all_ranges(format, &mut problems);
    if problems.is_empty() {
        report_impossible(format, &mut problems);
    }
    problems.first().map(|problem| problem.span)
}

pub(super) fn constraint_class(format: &Format, rule: &ConstraintRule) -> Class {
    // Generation cannot plan for fields that only some alternatives have.
    if rule.expressions().iter().any(|expr| expr.contains_alternatives()) {
        return Class::Residual;
    }
    rule.kind().class(format)
}

/// Maximum number of narrowing rounds. Each round is sound by itself, so it is safe to stop at any of them.
const MAX_NARROWING_ROUNDS: usize = 32;

/// Narrows the ranges by every comparison until nothing changes. A field without any possible value is a contradiction
/// if it occurs in every input. Otherwise it occurs in no input, which the returned warnings report.
pub(super) fn narrow_all_ranges(format: &mut Format, problems: &mut Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut absent = Vec::new();
    for _ in 0..MAX_NARROWING_ROUNDS {
        let mut changed = false;
        for i in 0..format.constraints.len() {
            let constraint = format.constraints[i].clone();
            let Some(comparison) = constraint.rule.kind().narrowing_comparison(format) else { continue };
            for id in format.affecting_fields(comparison.left.iter().chain(&comparison.right)) {
                if !always_applies(format, Some(id), constraint.home_block, &comparison) {
                    continue;
                }
                match narrow_field(format, id, &comparison) {
                    NarrowingEffect::Unchanged => {}
                    NarrowingEffect::Narrowed => changed = true,
                    NarrowingEffect::Emptied => {
                        let problem = never_error(format, id, constraint.span);
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

fn never_error(format: &Format, id: FieldId, span: Span) -> Diagnostic {
    let field = format.field(id);
    Diagnostic::error("never", span, format!("no value of `{}` can satisfy this", field.name))
        .with_caret(format!("the other constraints allow {}", format_interval(field.range)))
}

/// Returns the range of the number of values of a field per input; it starts at 0 if an enclosing block or array can
/// be empty.
fn occurrence_range(format: &Format, id: FieldId) -> Interval {
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
    occurrence_range(format, id).lo >= 1
        || format.affecting_fields(comparison.left.iter().chain(&comparison.right)) == [id]
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
    let mut at = home;
    while !format.is_within(from, at) {
        if instance_count_range(at, &stated).lo < 1 {
            return false;
        }
        at = format.block(at).parent.unwrap_or(BlockId(0));
    }
    let mut sides = comparison.left.iter().chain(&comparison.right);
    if field.is_some_and(|f| !format.field(f).is_scalar()) {
        // If an array has an element, so has any array of the same length.
        return sides.all(|e| has_elements(e, &stated));
    }
    sides.all(|e| is_never_empty(e, &stated))
}

/// Returns true if an expression is guaranteed to have a value for each element of an array that it is compared with.
fn has_elements(expr: &Expr, ranges: &impl RangeSource) -> bool {
    expr.all_parts(&|part| match part {
        Expr::Field(_) | Expr::Length(_) => Some(true),
        Expr::Element(field, indices) if ranges.format().picks_row(*field, indices) => Some(true),
        Expr::Negate(_) | Expr::Binary(..) => None,
        _ => Some(is_never_empty(part, ranges)),
    })
}

/// Returns the bound on each element that a bound on a fold implies: `sum(n) <= 2e5` bounds each `n` if no term is
/// negative, an upper bound on a maximum bounds each term from above, and a lower bound on a minimum from below.
/// Nested folds are unwrapped until the field is no longer folded.
fn bound_on_each_element(format: &Format, field: FieldId, comparison: &Comparison) -> Option<Comparison> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let (fold, each, sign, bound) = match (left, right) {
        (Expr::Fold(fold, _, each), _) => (*fold, each, comparison.sign, right),
        (_, Expr::Fold(fold, _, each)) => (*fold, each, comparison.sign.with_sides_swapped(), left),
        _ => return None,
    };
    let is_upper = matches!(sign, ComparisonOperator::Less | ComparisonOperator::LessEqual | ComparisonOperator::Equal);
    let is_lower =
        matches!(sign, ComparisonOperator::Greater | ComparisonOperator::GreaterEqual | ComparisonOperator::Equal);
    let sign = match fold {
        FoldKind::Sum if is_upper && evaluate_range(each, &DeclaredRanges(format)).lo >= 0 => as_upper_bound(sign),
        FoldKind::Max if is_upper => as_upper_bound(sign),
        FoldKind::Min if is_lower => as_upper_bound(sign.with_sides_swapped()).with_sides_swapped(),
        _ => return None,
    };
    let each = Comparison { decimals: comparison.decimals, ..Comparison::new((**each).clone(), sign, bound.clone()) };
    let is_folded = each.left.iter().chain(&each.right).any(|e| format.folds_field(e, field));
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
        let folded = comparison.left.iter().chain(&comparison.right).any(|e| format.folds_field(e, id));
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
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return length };
    let (bound, sign) = match (left, right) {
        (Expr::Length(f), other) if *f == id => (other, comparison.sign),
        (other, Expr::Length(f)) if *f == id => (other, comparison.sign.with_sides_swapped()),
        _ => return length,
    };
    narrow_by_operator(length, sign, evaluate_range(bound, ranges))
}

fn format_interval(range: Interval) -> String {
    match (range.lo == -MAX_NUMBER, range.hi == MAX_NUMBER) {
        (false, false) if range.lo == range.hi => range.lo.to_string(),
        (true, true) => "any number".to_owned(),
        (true, false) => format!("at most {}", range.hi),
        (false, true) => format!("at least {}", range.lo),
        (false, false) => format!("{}..{}", range.lo, range.hi),
    }
}

fn report_missing_bounds(format: &Format, problems: &mut Vec<Diagnostic>) {
    for field in &format.fields {
        let name = &field.name;
        if field.has_free_length() && field.length.hi == MAX_NUMBER {
            let message = format!("the length of `{name}` has no upper bound");
            let help = format!("add `1 <= len({name}) <= 100` to the where part");
            problems.push(
                Diagnostic::error("no-bound", field.span, message).with_caret("how long can it be?").with_help(help),
            );
        }
        if field.alphabet().is_some() {
            continue;
        }
        let (low, high) = (field.range.lo == -MAX_NUMBER, field.range.hi == MAX_NUMBER);
        if low || high {
            let which = if low && high {
                "bounds"
            } else if low {
                "lower bound"
            } else {
                "upper bound"
            };
            let help = match (low, high) {
                (true, true) => {
                    format!("add `1 <= {name} <= 10^9` to the where part; if it is text, `{name} over \"a-z\"`")
                }
                (true, false) => format!("add `1 <= {name}` to the where part"),
                _ => format!("add `{name} <= 10^9` to the where part"),
            };
            problems.push(
                Diagnostic::error("no-bound", field.span, format!("`{name}` has no {which}"))
                    .with_caret("which values can it take?")
                    .with_help(help),
            );
        }
    }
}

/// Reports constraints that contradict the ranges, and sizes that can be negative.
fn report_impossible(format: &Format, problems: &mut Vec<Diagnostic>) {
    let stated = DeclaredRanges(format);
    for constraint in &format.constraints {
        let Some(comparison) = constraint.rule.comparison() else { continue };
        if !always_applies(format, None, constraint.home_block, comparison) {
            continue;
        }
        let sides: Vec<(Interval, Interval)> = comparison
            .left
            .iter()
            .zip(&comparison.right)
            .map(|(left, right)| (evaluate_range(left, &stated), evaluate_range(right, &stated)))
            .collect();
        let holds = |(left, right): &(Interval, Interval)| can_hold(*left, comparison.sign, *right);
        let fine = match comparison.sign {
            ComparisonOperator::NotEqual => sides.iter().any(holds),
            _ => sides.iter().all(holds),
        };
        let constant_gap = constant_difference(comparison);
        if !fine
            || constant_gap
                .is_some_and(|by| !can_hold(Interval::from_value(by), comparison.sign, Interval::from_value(0)))
        {
            let caret = match (&*sides, constant_gap) {
                (_, Some(by)) if fine && by != 0 => format!("the two sides always differ by {}", by.abs()),
                ([(left, right)], _) => format!("{} and {}", format_interval(*left), format_interval(*right)),
                _ => "both sides are always the same".to_owned(),
            };
            problems.push(
                Diagnostic::error("never", constraint.span, "this can never hold, given the other constraints")
                    .with_caret(caret),
            );
        }
    }
    report_contradictions(format, &stated, problems);
    report_negative_sizes(format, &stated, problems);
}

/// Reports constraints on the same expression that exclude each other: `sum(n) >= 300000` and `sum(n) <= 200000`.
fn report_contradictions(format: &Format, stated: &DeclaredRanges<'_>, problems: &mut Vec<Diagnostic>) {
    let mut left_of: Vec<(&Expr, BlockId, Interval)> = Vec::new();
    for constraint in &format.constraints {
        let Some(comparison) = constraint.rule.comparison() else { continue };
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { continue };
        if comparison.sign == ComparisonOperator::NotEqual
            || !always_applies(format, None, constraint.home_block, comparison)
        {
            continue;
        }
        for (side, sign, other) in [(left, comparison.sign, right), (right, comparison.sign.with_sides_swapped(), left)]
        {
            // The remaining range of a plain field is its own range.
            if matches!(side, Expr::Constant(_) | Expr::Field(_)) {
                continue;
            }
            let range = narrow_by_operator(Interval::ALL, sign, evaluate_range(other, stated));
            match left_of.iter_mut().find(|(expr, home, _)| *expr == side && *home == constraint.home_block) {
                Some((.., known)) if known.intersect(range).is_empty() => {
                    let message = "this can never hold, given the other constraints";
                    let caret = format!("the other constraints allow {}", format_interval(*known));
                    problems.push(Diagnostic::error("never", constraint.span, message).with_caret(caret));
                    return;
                }
                Some((.., known)) => *known = known.intersect(range),
                None => left_of.push((side, constraint.home_block, range)),
            }
        }
    }
}

/// Returns the difference between the left and the right side if it does not depend on any field: `n-1 = n-2`.
fn constant_difference(comparison: &Comparison) -> Option<i128> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let difference = LinearSum::from_expr(left)?.checked_sub(&LinearSum::from_expr(right)?)?;
    difference.factors.is_empty().then_some(difference.constant)
}

fn report_negative_sizes(format: &Format, stated: &DeclaredRanges<'_>, problems: &mut Vec<Diagnostic>) {
    let sizes = format.fields.iter().flat_map(|f| {
        f.dimensions.iter().filter_map(move |d| match d {
            FieldDimension::Size(size) => Some((size, f.block, f.span, format!("`{}`", f.name))),
            FieldDimension::Free => None,
        })
    });
    let counts = format.blocks.iter().filter_map(|b| {
        let around = b.parent.unwrap_or(BlockId(0));
        Some((b.count.times_expr()?, around, b.span, "this block".to_owned()))
    });
    for (size, block, span, what) in sizes.chain(counts) {
        let range = evaluate_range(size, stated);
        if range.lo < 0 && !is_never_negative(format, block, size) {
            problems.push(
                Diagnostic::error("negative-size", span, format!("the size of {what} can be negative"))
                    .with_caret(format!("down to {}", range.lo))
                    .with_help(
                        "bound the numbers in it so that it is never less than 0, as `l <= r` does for `r - l + 1`",
                    ),
            );
        }
    }
}

/// Returns true if constraints on several numbers imply that a size is never negative: `r - l + 1` given `l <= r`.
fn is_never_negative(format: &Format, block: BlockId, size: &Expr) -> bool {
    /// Maximum number of bounds to combine; more are never needed in practice.
    const MAX_COMBINED_BOUNDS: usize = 3;
    let holds_here = |field: &FieldId| {
        let info = format.field(*field);
        info.is_scalar() && format.is_within(block, info.block)
    };
    let stated = format.comparisons().filter_map(nonnegative_difference);
    let bounds: Vec<LinearSum> = stated.filter(|sum| sum.factors.keys().all(holds_here)).collect();
    LinearSum::from_expr(size).is_some_and(|size| is_implied_nonnegative(format, &size, &bounds, MAX_COMBINED_BOUNDS))
}

/// Returns true if a sum is at least the sum of some of the bounds, each of which is never negative.
fn is_implied_nonnegative(format: &Format, sum: &LinearSum, bounds: &[LinearSum], left: usize) -> bool {
    if min_of_sum(format, sum) >= 0 {
        return true;
    }
    let helps = |bound: &&LinearSum| {
        let is_shared = |(field, factor): (&FieldId, &i128)| sum.factors.get(field).is_some_and(|own| own * factor > 0);
        bound.factors.iter().any(is_shared)
    };
    left > 0
        && bounds.iter().filter(helps).any(|bound| {
            sum.clone().checked_sub(bound).is_some_and(|rest| is_implied_nonnegative(format, &rest, bounds, left - 1))
        })
}

/// Returns the minimum of a sum, according to the ranges of its fields.
fn min_of_sum(format: &Format, sum: &LinearSum) -> i128 {
    let least = |(field, factor): (&FieldId, &i128)| {
        let range = format.field(*field).range;
        (*factor).saturating_mul(if *factor < 0 { range.hi } else { range.lo })
    };
    sum.factors.iter().map(least).fold(sum.constant, i128::saturating_add)
}

/// Returns the difference that a comparison implies to be nonnegative: `r - l` for `l <= r`.
fn nonnegative_difference(comparison: &Comparison) -> Option<LinearSum> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let (less, more, is_strict) = match comparison.sign {
        ComparisonOperator::Less => (left, right, true),
        ComparisonOperator::LessEqual | ComparisonOperator::Equal => (left, right, false),
        ComparisonOperator::Greater => (right, left, true),
        ComparisonOperator::GreaterEqual => (right, left, false),
        ComparisonOperator::NotEqual => return None,
    };
    let mut difference = LinearSum::from_expr(more)?.checked_sub(&LinearSum::from_expr(less)?)?;
    difference.constant = difference.constant.checked_sub(i128::from(is_strict))?;
    Some(difference)
}
