//! Detection of bounds that no input can reach: `1 <= N` if two different cells of an N x N board are required.
//!
//! A bound is tested by restricting the field to just that value and narrowing all ranges. The analysis is sound but
//! incomplete: a reported bound is certainly unreachable, but some unreachable bounds are not found.

use super::contradictions::find_contradiction;
use crate::model::{Comparison, ComparisonOperator, Constraint, Expr, FieldDimension, FieldId, Format, Interval};
use crate::tuning::{MAX_BOUND_TEST_WORK, MAX_BOUNDS_TESTED, MAX_LINEAR_PROBES};
use rebut_diagnostics::{Diagnostic, Span, list_or};

/// A constant bound of a single number, and its location.
#[derive(Clone, Copy)]
struct StatedBound {
    field: FieldId,
    number: i128,
    span: Span,
}

impl StatedBound {
    fn display_text(self, format: &Format) -> String {
        let field = format.field(self.field);
        format!("`{} = {}`", field.name, field.format_number(self.number))
    }
}

/// Reports declared bounds of single numbers that can never be reached, once per constraint that is the reason.
pub(super) fn report_unreachable_bounds(format: &Format, problems: &mut Vec<Diagnostic>) {
    let mut found: Vec<(Span, Vec<StatedBound>)> = Vec::new();
    // A test narrows each field of each constraint, by all of the constraint.
    let lengths = format.constraints.iter().map(|constraint| {
        let mut length: usize = 0;
        constraint.rule.expressions().iter().for_each(|expr| expr.visit_fields(&mut |_| length += 1));
        length.pow(2)
    });
    let affordable = MAX_BOUND_TEST_WORK / lengths.sum::<usize>().max(1);
    for bound in stated_bounds(format).into_iter().take(affordable.min(MAX_BOUNDS_TESTED)) {
        let Some(reason) = unreachable_reason(format, bound.field, bound.number) else { continue };
        // Statements bound primes by round numbers.
        if is_reached_in_other_form(format, bound) || is_about_primes(format, reason) {
            continue;
        }
        match found.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, others)) => others.push(bound),
            None => found.push((reason, vec![bound])),
        }
    }
    for (reason, bounds) in found {
        let [bound, others @ ..] = &*bounds else { continue };
        problems.push(unreachable_bound_warning(format, reason, *bound, others));
    }
}

fn is_about_primes(format: &Format, reason: Span) -> bool {
    let calls = |expr: &&Expr| expr.any_part(&|part| matches!(part, Expr::Call(..)).then_some(true));
    format
        .constraints
        .iter()
        .any(|constraint| constraint.span == reason && constraint.rule.expressions().iter().any(calls))
}

/// Returns true if the same field can take the number in another alternative of its `either`.
fn is_reached_in_other_form(format: &Format, bound: StatedBound) -> bool {
    let name = &format.field(bound.field).name;
    let mut copies = format.field_ids().filter(|id| *id != bound.field);
    copies.any(|id| {
        let field = format.field(id);
        field.name == *name
            && field.range.contains_value(bound.number)
            && unreachable_reason(format, id, bound.number).is_none()
    })
}

fn unreachable_bound_warning(format: &Format, reason: Span, bound: StatedBound, others: &[StatedBound]) -> Diagnostic {
    let message = format!("{} is impossible", bound.display_text(format));
    let mut problem =
        Diagnostic::warning("unreachable-bound", bound.span, message).with_caret("this bound is never reached");
    if reason != bound.span {
        problem = problem.with_label(reason, "because of this");
    }
    if !others.is_empty() {
        let others: Vec<String> = others.iter().map(|other| other.display_text(format)).collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        problem = problem.with_note(format!("the same holds for {}", list_or(&others)));
    }
    match nearest_reachable_value(format, bound.field, bound.number) {
        Some(value) => problem.with_help(format!(
            "the nearest value that no constraint rules out is {}",
            format.field(bound.field).format_number(value)
        )),
        None => problem,
    }
}

/// Returns a value near a bound that no constraint rules out: the nearest one, if it is close or if the unreachable
/// values are contiguous.
fn nearest_reachable_value(format: &Format, field: FieldId, bound: i128) -> Option<i128> {
    let range = format.field(field).range;
    let inward = if bound <= range.lo { 1 } else { -1 };
    let near = (1..=MAX_LINEAR_PROBES)
        .map(|d| bound + inward * d)
        .find(|v| range.contains_value(*v) && unreachable_reason(format, field, *v).is_none());
    if near.is_some() {
        return near;
    }
    let (mut out, mut inside) = (bound, if bound <= range.lo { range.hi } else { range.lo });
    if unreachable_reason(format, field, inside).is_some() {
        return None;
    }
    while out.abs_diff(inside) > 1 {
        let middle = out + (inside - out) / 2;
        if unreachable_reason(format, field, middle).is_some() { out = middle } else { inside = middle }
    }
    Some(inside)
}

/// Returns the range of a field's values that no constraint rules out, as far as interval arithmetic shows.
pub fn reachable_range(format: &Format, field: FieldId) -> Interval {
    let range = format.field(field).range;
    if !format.field(field).is_scalar() {
        return range;
    }
    let end = |bound| match unreachable_reason(format, field, bound) {
        None => bound,
        Some(_) => nearest_reachable_value(format, field, bound).unwrap_or(bound),
    };
    Interval::new(end(range.lo), end(range.hi))
}

/// Returns the constant bounds of single numbers, except those with a fixed value (`n = 5`): such bounds mean
/// nothing.
fn stated_bounds(format: &Format) -> Vec<StatedBound> {
    let mut found: Vec<StatedBound> = Vec::new();
    for constraint in &format.constraints {
        let Some((field, sign, bound)) = constraint.rule.comparison().and_then(constant_bound) else { continue };
        if is_implied(format, constraint.span) {
            continue;
        }
        let bound = match sign {
            ComparisonOperator::LessEqual | ComparisonOperator::GreaterEqual => bound,
            ComparisonOperator::Less => bound - 1,
            ComparisonOperator::Greater => bound + 1,
            ComparisonOperator::Equal | ComparisonOperator::NotEqual => continue,
        };
        // A bound that a tighter one of the same field implies is not worth a report.
        let tightest = {
            let range = format.field(field).range;
            match sign {
                ComparisonOperator::LessEqual | ComparisonOperator::Less => {
                    bound <= range.hi || !has_tighter_bound(format, field, bound, false)
                }
                _ => bound >= range.lo || !has_tighter_bound(format, field, bound, true),
            }
        };
        if format.field(field).is_scalar() && tightest && !has_given_value(format, field) {
            found.push(StatedBound { field, number: bound, span: constraint.span });
        }
    }
    found
}

/// Returns the field that a comparison bounds by a constant, the operator with the field on the left, and the constant.
fn constant_bound(comparison: &Comparison) -> Option<(FieldId, ComparisonOperator, i128)> {
    let field_of = |side: &Expr| if let Expr::Field(field) = side { Some(*field) } else { None };
    match comparison.find_operand(field_of)? {
        (field, sign, Expr::Constant(bound)) => Some((field, sign, *bound)),
        _ => None,
    }
}

/// Returns true if a constraint fixes the value of a field.
fn has_given_value(format: &Format, field: FieldId) -> bool {
    let mut bounds = format.comparisons().filter_map(constant_bound);
    bounds.any(|(of, sign, _)| of == field && sign == ComparisonOperator::Equal)
}

/// Returns true if the constraint at `span` is more than a comparison: its bounds are implied, not written.
fn is_implied(format: &Format, span: Span) -> bool {
    format.constraints.iter().any(|c| c.span == span && c.rule.comparison().is_none())
}

/// Returns true if another constant bounds the field more tightly.
fn has_tighter_bound(format: &Format, field: FieldId, bound: i128, below: bool) -> bool {
    format.comparisons().filter_map(constant_bound).any(|(f, sign, other)| {
        let lower = matches!(sign, ComparisonOperator::Greater | ComparisonOperator::GreaterEqual);
        let upper = matches!(sign, ComparisonOperator::Less | ComparisonOperator::LessEqual);
        f == field && (below && lower && other > bound || !below && upper && other < bound)
    })
}

/// Returns the location of a constraint that rules a value out, if there is one.
fn unreachable_reason(format: &Format, field: FieldId, value: i128) -> Option<Span> {
    let mut probe = format.clone();
    let block = format.field(field).block;
    // Only one of many instances has this value, so constraints on all of them together do not rule it out.
    let is_about_all = |c: &Constraint| {
        let is_outer = c.home_block != block && format.is_within(block, c.home_block);
        is_outer && (c.rule.mentions_field(field) || c.rule.expressions().iter().any(|e| format.folds_field(e, field)))
    };
    probe.constraints.retain(|c| !is_about_all(c));
    probe.fields[field.0].range = Interval::from_value(value);
    find_contradiction(&mut probe).or_else(|| {
        if format.field(field).range.contains_value(value) {
            return None;
        }
        // Narrowing by the other constraints has removed the value already. The most likely cause is a constraint that
        // is more than a comparison.
        let is_compound = |c: &&Constraint| c.rule.comparison().is_none() && affects_constraint(format, c, field);
        let blamed = |c: &&Constraint| c.rule.mentions_field(field);
        let found = format.constraints.iter().rev().find(is_compound);
        found.or_else(|| format.constraints.iter().rev().find(blamed)).map(|c| c.span)
    })
}

/// Returns true if a field occurs in a constraint, or sizes something in it.
fn affects_constraint(format: &Format, constraint: &Constraint, field: FieldId) -> bool {
    let sized = |f: FieldId| {
        let sizes = format.field(f).dimensions.iter();
        sizes.clone().any(|d| matches!(d, FieldDimension::Size(size) if size.mentions_field(field)))
    };
    let mut found = constraint.rule.mentions_field(field);
    for expr in constraint.rule.expressions() {
        expr.visit_fields(&mut |f| found |= sized(f));
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use rebut_diagnostics::SourceText;

    fn parse_format(text: &str) -> Format {
        Format::parse(&SourceText::new("test", text)).unwrap().0
    }

    fn reachable(text: &str) -> (i128, i128) {
        let format = parse_format(text);
        let range = reachable_range(&format, FieldId(0));
        (range.lo, range.hi)
    }

    #[test]
    fn bounds_that_no_input_reaches_are_moved() {
        assert_eq!(reachable("n where 1 <= n <= 9"), (1, 9));
        assert_eq!(reachable("n; b[n][n] where b over \"AB\"; 1 <= n <= 9; count(b, 'A') = 2"), (2, 9));
        assert_eq!(reachable("n m where 1 <= n <= 9; 3 <= m <= 9; n * m <= 12"), (1, 4));
    }

    #[test]
    fn repetitions_do_not_all_have_the_value_of_one() {
        let format = parse_format("n; repeat n: p where 1 <= n <= 4; 1 <= p <= n; distinct(p)");
        assert_eq!(reachable_range(&format, FieldId(1)), Interval::new(1, 4));
        let mut problems = Vec::new();
        report_unreachable_bounds(&format, &mut problems);
        assert_eq!(problems, []);
    }
}
