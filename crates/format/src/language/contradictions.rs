//! Detection of constraints that contradict each other, and of sizes that can be negative.

use super::range_narrowing::{always_applies, format_interval, narrow_all_ranges};
use crate::model::{
    BlockId, Comparison, ComparisonOperator, DeclaredRanges, Expr, FieldDimension, FieldId, Format, Interval,
    LinearSum, can_hold, comparison_can_hold, evaluate_range, narrow_by_operator,
};
use crate::tuning::MAX_COMBINED_BOUNDS;
use rebut_diagnostics::{Diagnostic, Span};

/// Returns the location of a contradiction between the constraints of a format, if the ranges alone show one.
pub(super) fn find_contradiction(format: &mut Format) -> Option<Span> {
    let mut problems = Vec::new();
    narrow_all_ranges(format, &mut problems);
    if problems.is_empty() {
        report_impossible(format, &mut problems);
    }
    problems.first().map(|problem| problem.span)
}

/// Reports constraints that contradict the ranges, and sizes that can be negative.
pub(super) fn report_impossible(format: &Format, problems: &mut Vec<Diagnostic>) {
    let stated = DeclaredRanges(format);
    for constraint in &format.constraints {
        let Some(comparison) = constraint.rule.comparison() else { continue };
        if !always_applies(format, None, constraint.home_block, comparison) {
            continue;
        }
        let fine = comparison_can_hold(comparison, &stated);
        let constant_gap = constant_difference(comparison);
        if !fine
            || constant_gap
                .is_some_and(|by| !can_hold(Interval::from_value(by), comparison.sign, Interval::from_value(0)))
        {
            let range_text = |side| format_interval(evaluate_range(side, &stated));
            let caret = match (comparison.single_operands(), constant_gap) {
                (_, Some(by)) if fine && by != 0 => format!("the two sides always differ by {}", by.abs()),
                (Some((left, right)), _) => format!("{} and {}", range_text(left), range_text(right)),
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
        let Some((left, right)) = comparison.single_operands() else { continue };
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
    let (left, right) = comparison.single_operands()?;
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
    let (left, right) = comparison.single_operands()?;
    let equal = (comparison.sign == ComparisonOperator::Equal).then_some((left, comparison.sign, right));
    let (less, sign, more) = comparison.upper_bound().or(equal)?;
    let mut difference = LinearSum::from_expr(more)?.checked_sub(&LinearSum::from_expr(less)?)?;
    difference.constant = difference.constant.checked_sub(i128::from(sign == ComparisonOperator::Less))?;
    Some(difference)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_diagnostics::SourceText;

    fn error_codes(text: &str) -> Vec<&'static str> {
        match Format::parse(&SourceText::new("test", text)) {
            Ok(_) => Vec::new(),
            Err(problems) => problems.iter().map(|problem| problem.code).collect(),
        }
    }

    #[test]
    fn contradictions_and_negative_sizes_are_errors() {
        let cases = [
            ("n where 1 <= n <= 9; n + 1 = n + 2", "never"),
            ("n; a[n] where 1 <= n <= 9; 0 <= a <= 9; sum(a) >= 30; sum(a) <= 20", "never"),
            ("n m where 1 <= n <= 3; 5 <= m <= 9; n = m", "never"),
            ("n; a[n - 2] where 1 <= n <= 9; 0 <= a <= 9", "negative-size"),
        ];
        for (text, code) in cases {
            assert_eq!(error_codes(text), [code], "{text}");
        }
    }

    #[test]
    fn sizes_that_constraints_keep_from_being_negative_are_fine() {
        assert!(error_codes("l r; s[r - l + 1] where 1 <= l <= r <= 9; 0 <= s <= 9").is_empty());
        assert!(error_codes("a b c; s[c - a] where 1 <= a <= b <= c <= 9; 0 <= s <= 9").is_empty());
    }
}
