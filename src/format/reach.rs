//! Bounds that no input can reach: `1 <= N` where two different cells of an N x N board are asked for.
//!
//! A bound is put to the test by giving the field just that value, and looking whether the other constraints leave
//! anything at all. What is reported can never be; what is not reported may still be out of reach.

use super::classify::contradiction;
use super::expr::{Expr, Sign};
use super::formula::Comparison;
use super::interval::Interval;
use super::model::{BlockId, Constraint, Dimension, FieldId, Format};
use super::rule::Rule;
use crate::diagnostic::{Diagnostic, Span, list_or};

/// So many bounds are put to the test: real formats have fewer, and each test weighs all constraints anew.
const MOST_BOUNDS: usize = 64;

/// A constant bound of a single number, and where it is stated.
#[derive(Clone, Copy)]
struct Bound {
    field: FieldId,
    number: i128,
    span: Span,
}

impl Bound {
    fn text(self, format: &Format) -> String {
        let field = format.field(self.field);
        format!("`{} = {}`", field.name, field.number_text(self.number))
    }
}

/// Notes the stated bounds of single numbers that can never be reached: once for each constraint that is the reason.
pub(super) fn unreachable(format: &Format, problems: &mut Vec<Diagnostic>) {
    let mut found: Vec<(Span, Vec<Bound>)> = Vec::new();
    for bound in bounds(format).into_iter().take(MOST_BOUNDS) {
        let Some(reason) = out_of_reach(format, bound.field, bound.number) else { continue };
        if reached_in_another_form(format, bound) {
            continue;
        }
        match found.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, others)) => others.push(bound),
            None => found.push((reason, vec![bound])),
        }
    }
    for (reason, bounds) in found {
        let [bound, others @ ..] = &*bounds else { continue };
        problems.push(problem(format, reason, *bound, others));
    }
}

/// Whether the same field can have the number in another form of its `either`.
fn reached_in_another_form(format: &Format, bound: Bound) -> bool {
    let name = &format.field(bound.field).name;
    let mut copies = (0..format.fields.len()).map(FieldId).filter(|id| *id != bound.field);
    copies.any(|id| {
        let field = format.field(id);
        field.name == *name && field.range.contains(bound.number) && out_of_reach(format, id, bound.number).is_none()
    })
}

fn problem(format: &Format, reason: Span, bound: Bound, others: &[Bound]) -> Diagnostic {
    let message = format!("{} can never be", bound.text(format));
    let mut problem =
        Diagnostic::warning("unreachable-bound", bound.span, message).caret("this bound is never reached");
    if reason != bound.span {
        problem = problem.label(reason, "because of this");
    }
    if !others.is_empty() {
        let others: Vec<String> = others.iter().map(|other| other.text(format)).collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        problem = problem.note(format!("nor can {}", list_or(&others)));
    }
    match nearest_in_reach(format, bound.field, bound.number) {
        Some(value) => problem.help(format!("nothing rules out {}", format.field(bound.field).number_text(value))),
        None => problem,
    }
}

/// A value near a bound that nothing rules out: the nearest, if it is near or what is out of reach is in one piece.
fn nearest_in_reach(format: &Format, field: FieldId, bound: i128) -> Option<i128> {
    /// So many values next to the bound are looked at one by one: what is out of reach need not be in one piece.
    const NEAR: i128 = 64;
    let range = format.field(field).range;
    let inward = if bound <= range.lo { 1 } else { -1 };
    let near = (1..=NEAR)
        .map(|d| bound + inward * d)
        .find(|v| range.contains(*v) && out_of_reach(format, field, *v).is_none());
    if near.is_some() {
        return near;
    }
    let (mut out, mut inside) = (bound, if bound <= range.lo { range.hi } else { range.lo });
    if out_of_reach(format, field, inside).is_some() {
        return None;
    }
    while out.abs_diff(inside) > 1 {
        let middle = out + (inside - out) / 2;
        if out_of_reach(format, field, middle).is_some() { out = middle } else { inside = middle }
    }
    Some(inside)
}

/// The range of a field's values that nothing rules out, as far as bounds tell.
pub fn reach(format: &Format, field: FieldId) -> Interval {
    let range = format.field(field).range;
    if !format.field(field).is_scalar() {
        return range;
    }
    let end = |bound| match out_of_reach(format, field, bound) {
        None => bound,
        Some(_) => nearest_in_reach(format, field, bound).unwrap_or(bound),
    };
    Interval::new(end(range.lo), end(range.hi))
}

/// The constant bounds of single numbers, but for those that are one given number (`n = 5`): there they say nothing.
fn bounds(format: &Format) -> Vec<Bound> {
    let mut found: Vec<Bound> = Vec::new();
    for constraint in &format.constraints {
        let Rule::Compare(Comparison { left, sign, right, .. }) = &constraint.rule else { continue };
        if implied(format, constraint.span) {
            continue;
        }
        let (field, sign, bound) = match (&**left, &**right) {
            ([Expr::Field(f)], [Expr::Constant(c)]) => (*f, *sign, *c),
            ([Expr::Constant(c)], [Expr::Field(f)]) => (*f, sign.mirrored(), *c),
            _ => continue,
        };
        let bound = match sign {
            Sign::LessEqual | Sign::GreaterEqual => bound,
            Sign::Less => bound - 1,
            Sign::Greater => bound + 1,
            Sign::Equal | Sign::NotEqual => continue,
        };
        // A bound that is implied by a tighter one of the same field is no news.
        let tightest = {
            let range = format.field(field).range;
            match sign {
                Sign::LessEqual | Sign::Less => bound <= range.hi || !tighter(format, field, bound, false),
                _ => bound >= range.lo || !tighter(format, field, bound, true),
            }
        };
        if format.field(field).is_scalar() && tightest && !is_given(format, field) {
            found.push(Bound { field, number: bound, span: constraint.span });
        }
    }
    found
}

/// Whether a constraint gives a field its number.
fn is_given(format: &Format, field: FieldId) -> bool {
    let gives = |comparison: &Comparison| {
        comparison.sign == Sign::Equal
            && matches!(
                (&*comparison.left, &*comparison.right),
                ([Expr::Field(f)], [Expr::Constant(_)]) | ([Expr::Constant(_)], [Expr::Field(f)]) if *f == field
            )
    };
    format.constraints.iter().any(|c| matches!(&c.rule, Rule::Compare(comparison) if gives(comparison)))
}

/// Whether what stands there says more than comparisons: its bounds follow from it, and nobody wrote them.
fn implied(format: &Format, span: Span) -> bool {
    format.constraints.iter().any(|c| c.span == span && !matches!(c.rule, Rule::Compare(_)))
}

/// Whether another constant bounds the field more tightly.
fn tighter(format: &Format, field: FieldId, bound: i128, below: bool) -> bool {
    format.constraints.iter().any(|constraint| {
        let Rule::Compare(Comparison { left, sign, right, .. }) = &constraint.rule else { return false };
        let (f, sign, other) = match (&**left, &**right) {
            ([Expr::Field(f)], [Expr::Constant(c)]) => (*f, *sign, *c),
            ([Expr::Constant(c)], [Expr::Field(f)]) => (*f, sign.mirrored(), *c),
            _ => return false,
        };
        let lower = matches!(sign, Sign::Greater | Sign::GreaterEqual);
        let upper = matches!(sign, Sign::Less | Sign::LessEqual);
        f == field && (below && lower && other > bound || !below && upper && other < bound)
    })
}

/// The place of a constraint that rules a value out, if one does.
fn out_of_reach(format: &Format, field: FieldId, value: i128) -> Option<Span> {
    let mut probe = format.clone();
    if format.field(field).block != BlockId(0) {
        // Of many instances only one has the value: what is said of all of them together does not rule it out.
        probe.constraints.retain(|c| !c.rule.exprs().iter().any(|e| format.folds(e, field)));
    }
    probe.fields[field.0].range = Interval::point(value);
    contradiction(&mut probe).or_else(|| {
        if format.field(field).range.contains(value) {
            return None;
        }
        // The other constraints have cut it off already; most likely one that says more than a bound.
        let says_more = |c: &&Constraint| !matches!(c.rule, Rule::Compare(_)) && touches(format, c, field);
        let blamed = |c: &&Constraint| c.rule.mentions(field);
        let found = format.constraints.iter().rev().find(says_more);
        found.or_else(|| format.constraints.iter().rev().find(blamed)).map(|c| c.span)
    })
}

/// Whether a field is in a constraint, or sizes something in it.
fn touches(format: &Format, constraint: &Constraint, field: FieldId) -> bool {
    let sized = |f: FieldId| {
        let sizes = format.field(f).dimensions.iter();
        sizes.clone().any(|d| matches!(d, Dimension::Size(size) if size.mentions(field)))
    };
    let mut found = constraint.rule.mentions(field);
    for expr in constraint.rule.exprs() {
        expr.each_field(&mut |f| found |= sized(f));
    }
    found
}
