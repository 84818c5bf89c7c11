//! What each constraint means for generation, the range of every field, and what can never hold.

use super::LARGEST;
use super::expr::{Expr, Fold, Operator, Over, Sign};
use super::formula::Comparison;
use super::interval::{Interval, Ranges, Stated, bounds_of, cut, elements, instances, narrow, possible, row};
use super::linear::Linear;
use super::model::{BlockId, Class, Dimension, FieldId, Format};
use super::reach::unreachable;
use super::rule::Rule;
use crate::diagnostic::{Diagnostic, Severity, Span};
use std::collections::HashSet;

/// Fills in the classes, the ranges of fields and lengths, and notes contradictions and missing bounds.
pub(super) fn classify(format: &mut Format, problems: &mut Vec<Diagnostic>) {
    for i in 0..format.constraints.len() {
        format.constraints[i].class = class(format, &format.constraints[i].rule);
    }
    for i in 0..format.subtasks.len() {
        for j in 0..format.subtasks[i].constraints.len() {
            let class = class(format, &format.subtasks[i].constraints[j].rule);
            format.subtasks[i].constraints[j].class = class;
        }
    }
    for i in 0..format.fields.len() {
        format.fields[i].announced = announced(format, FieldId(i));
    }
    let before = problems.len();
    let absent = narrow_all(format, problems);
    if problems.len() == before {
        missing_bounds(format, problems);
        impossible(format, problems);
    }
    if problems.len() == before {
        unreachable(format, problems);
        problems.extend(absent);
    }
}

/// What the length of a field is equal to, if a constraint says so and that is known before the field is read.
fn announced(format: &Format, field: FieldId) -> Option<Expr> {
    let info = format.field(field);
    let is_known = |expr: &Expr| {
        let fields = Linear::of(expr).map(|sum| sum.factors.into_keys().collect::<Vec<FieldId>>()).unwrap_or_default();
        let is_before = |other: &FieldId| *other < field && format.is_within(info.block, format.field(*other).block);
        !fields.is_empty() && fields.iter().all(is_before)
    };
    let mut stated = format.constraints.iter().filter_map(|constraint| match &constraint.rule {
        Rule::Compare(comparison) if comparison.sign == Sign::Equal => match (&*comparison.left, &*comparison.right) {
            ([Expr::Length(of)], [other]) | ([other], [Expr::Length(of)]) if *of == field => Some(other),
            _ => None,
        },
        _ => None,
    });
    stated.find(|other| info.is_free() && is_known(other)).cloned()
}

/// The place of a contradiction between the constraints of a format, if the ranges alone show one.
pub(super) fn contradiction(format: &mut Format) -> Option<Span> {
    let mut problems = Vec::new();
    narrow_all(format, &mut problems);
    if problems.is_empty() {
        impossible(format, &mut problems);
    }
    problems.first().map(|problem| problem.span)
}

pub(super) fn class(format: &Format, rule: &Rule) -> Class {
    // What stands in one of several forms is no part of a plan.
    if rule.exprs().iter().any(|expr| expr.has_forms()) {
        return Class::Residual;
    }
    let comparison = match rule {
        Rule::Distinct(_, Over::Occurrences(_))
        | Rule::Ordered(_, _, Over::Occurrences(_))
        | Rule::DistinctTexts(_, Over::Occurrences(_)) => return Class::Residual,
        Rule::Distinct(..) | Rule::Ordered(..) | Rule::Graph(_) | Rule::Matches(..) | Rule::DistinctTexts(..) => {
            return Class::Structural;
        }
        Rule::Formula(_) => return Class::Residual,
        Rule::Compare(comparison) => comparison,
    };
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return Class::Residual };
    if comparison.sign == Sign::NotEqual {
        return Class::Residual;
    }
    let counts = |e: &Expr| matches!(e, Expr::Fold(Fold::Count(_), Over::Elements, _));
    let sums = |e: &Expr| match e {
        // What repeats shares a budget.
        Expr::Fold(Fold::Sum, over, _) => over.block().is_none_or(|block| format.repetition_of(block).is_some()),
        _ => false,
    };
    let direct = |e: &Expr| matches!(e, Expr::Field(_) | Expr::Length(_));
    let is_array = |e: &Expr| matches!(e, Expr::Field(f) if !format.field(*f).is_scalar());
    if counts(left) || counts(right) {
        Class::Structural
    } else if sums(left) || sums(right) {
        Class::Budget
    } else if direct(left) && !is_array(right) || direct(right) && !is_array(left) {
        Class::Domain
    } else {
        Class::Residual
    }
}

/// After so many rounds the ranges are tight enough: each round is sound by itself.
const MOST_ROUNDS: usize = 32;

/// Cuts the ranges by every comparison until nothing changes. A field of which no value is left is a contradiction where it
/// is in every input. Elsewhere it is just in none: that is told by the warnings that are returned.
pub(super) fn narrow_all(format: &mut Format, problems: &mut Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut absent = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let mut changed = false;
        for i in 0..format.constraints.len() {
            let constraint = format.constraints[i].clone();
            let crowded = match &constraint.rule {
                Rule::Distinct(parts, over) => room_for_all(format, parts, *over),
                _ => None,
            };
            let comparison = match (&constraint.rule, &crowded) {
                (Rule::Compare(comparison), _) | (_, Some(comparison)) => comparison,
                _ => continue,
            };
            for id in format.concerned(comparison.left.iter().chain(&comparison.right)) {
                if !speaks_surely(format, Some(id), constraint.home, comparison) {
                    continue;
                }
                match cut_by(format, id, comparison) {
                    Cut::Nothing => {}
                    Cut::Some => changed = true,
                    Cut::All => {
                        let problem = never(format, id, constraint.span);
                        if is_in_every_input(format, id, comparison) {
                            problems.push(problem);
                            return Vec::new();
                        }
                        let could_be = how_often(format, id).hi >= 1;
                        changed |= without(format, id);
                        if could_be {
                            let note = format!("so `{}` is in no input", format.field(id).name);
                            absent.push(Diagnostic { severity: Severity::Warning, ..problem }.note(note));
                        }
                    }
                }
            }
        }
        if !changed {
            break;
        }
    }
    let mut told = HashSet::new();
    absent.retain(|warning| told.insert(warning.message.clone()));
    absent
}

/// What a comparison takes away of a field's range, or of its free length.
enum Cut {
    Nothing,
    Some,
    /// All that was left: the field keeps what it had.
    All,
}

fn cut_by(format: &mut Format, id: FieldId, comparison: &Comparison) -> Cut {
    let (range, length) = narrowed(format, id, comparison);
    let field = &mut format.fields[id.0];
    if range == field.range && length == field.length {
        return Cut::Nothing;
    }
    if range.is_empty() || length.is_empty() {
        return Cut::All;
    }
    (field.range, field.length) = (range, length);
    Cut::Some
}

fn never(format: &Format, id: FieldId, span: Span) -> Diagnostic {
    let field = format.field(id);
    Diagnostic::error("never", span, format!("no value of `{}` can satisfy this", field.name))
        .caret(format!("the other constraints leave {}", range_text(field.range)))
}

/// How many values of a field an input has, as far as bounds tell: none where a block around it, or an array, can be empty.
fn how_often(format: &Format, id: FieldId) -> Interval {
    let stated = Stated(format);
    let field = format.field(id);
    // A text of a length that cannot be is no text, not an empty one.
    let rank = field.dimensions.len() - usize::from(field.is_free());
    let mut times = elements(id, rank, &stated);
    let mut at = field.block;
    while at != BlockId(0) {
        let here = instances(at, &stated).intersect(Interval::NATURAL);
        times = Interval::new(times.lo.saturating_mul(here.lo), times.hi.saturating_mul(here.hi));
        at = format.block(at).parent.unwrap_or(BlockId(0));
    }
    times
}

/// Whether a field that has no value left makes a contradiction. Bounds by constants that leave none are a slip wherever they
/// stand: nobody gives a number such bounds on purpose.
fn is_in_every_input(format: &Format, id: FieldId, comparison: &Comparison) -> bool {
    how_often(format, id).lo >= 1 || format.concerned(comparison.left.iter().chain(&comparison.right)) == [id]
}

/// Where no value of a number can be, its block is repeated no time, if a count says how often. Tells whether that is news.
fn without(format: &mut Format, id: FieldId) -> bool {
    let range = &mut format.fields[id.0].range;
    if range.lo == -LARGEST || range.hi == LARGEST {
        // No value will be drawn, and nobody has to bound it any further.
        *range = Interval::point(range.simplest());
    }
    let field = format.field(id);
    let block = format.block(field.block);
    let Some(count) = block.count.times().filter(|_| field.is_scalar()).cloned() else { return false };
    let home = block.parent.unwrap_or(BlockId(0));
    let none = Comparison::new(count, Sign::LessEqual, Expr::Constant(0));
    let mut changed = false;
    for id in format.concerned(none.left.iter()) {
        changed |= speaks_surely(format, Some(id), home, &none) && matches!(cut_by(format, id, &none), Cut::Some);
    }
    changed
}

/// What different elements ask of their number: there are not more of them than different values.
fn room_for_all(format: &Format, parts: &[Expr], over: Over) -> Option<Comparison> {
    let stated = Stated(format);
    let width = |e: &Expr| {
        let range = bounds_of(e, &stated);
        range.hi.saturating_sub(range.lo).saturating_add(1).min(LARGEST)
    };
    let values = parts.iter().map(width).fold(1_i128, i128::saturating_mul);
    let count = match (over, parts) {
        (Over::Instances(block), _) => format.block(block).count.times()?.clone(),
        // How many there are, no number tells.
        (Over::Occurrences(_), _) => return None,
        (Over::Elements, [Expr::Field(field)]) => {
            let mut sizes = format.field(*field).dimensions.iter();
            let first = match sizes.next()? {
                Dimension::Size(size) => size.clone(),
                Dimension::Free => return None,
            };
            sizes.try_fold(first, |product, dimension| match dimension {
                Dimension::Size(size) => Some(Expr::Binary(Operator::Times, Box::new(product), Box::new(size.clone()))),
                Dimension::Free => None,
            })?
        }
        _ => return None,
    };
    Some(Comparison::new(count, Sign::LessEqual, Expr::Constant(values.min(LARGEST))))
}

/// Whether a comparison is sure to be made at least once for each value of a field (or, without one, for each input).
/// It is not if an array in it, or a block between the field and its home, can be empty; and then it says nothing of the
/// field: with `1 <= a <= n`, `n` is 0 where there is no `a`.
pub(crate) fn speaks_surely(format: &Format, field: Option<FieldId>, home: BlockId, comparison: &Comparison) -> bool {
    let stated = Stated(format);
    let from = field.map_or(BlockId(0), |f| format.field(f).block);
    let mut at = home;
    while at != from && format.is_within(at, from) {
        if instances(at, &stated).lo < 1 {
            return false;
        }
        at = format.block(at).parent.unwrap_or(BlockId(0));
    }
    let mut sides = comparison.left.iter().chain(&comparison.right);
    if field.is_some_and(|f| !format.field(f).is_scalar()) {
        // Where an array has an element, one as long has, too.
        return sides.all(|e| has_elements(e, &stated));
    }
    sides.all(|e| is_never_empty(e, &stated))
}

/// Whether an expression is sure to have a value for an element of an array that it is compared with.
fn has_elements(expr: &Expr, ranges: &impl Ranges) -> bool {
    match expr {
        Expr::Field(_) | Expr::Length(_) => true,
        Expr::Element(field, indices) if ranges.format().picks_row(*field, indices) => true,
        Expr::Minus(inner) => has_elements(inner, ranges),
        Expr::Binary(_, left, right) => has_elements(left, ranges) && has_elements(right, ranges),
        expr => is_never_empty(expr, ranges),
    }
}

/// Whether an expression is sure to have a value: no array in it can be empty, and no smallest or largest is of nothing.
pub(crate) fn is_never_empty(expr: &Expr, ranges: &impl Ranges) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Length(_) | Expr::Variable(_) => true,
        // An empty text can be compared like any other.
        Expr::Whole(_) | Expr::Letters(_) => true,
        Expr::Element(field, indices) => {
            let format = ranges.format();
            if format.counts_repetitions(*field, indices) && format.may_be_absent(*field) {
                return false;
            }
            let picked = format.indexed_dimensions(*field, indices);
            (!format.picks_row(*field, indices) || row(*field, picked, ranges).lo >= 1)
                && indices.iter().all(|index| is_never_empty(index, ranges))
        }
        Expr::Field(field) => {
            let rank = ranges.format().field(*field).dimensions.len();
            rank == 0 || elements(*field, rank, ranges).lo >= 1
        }
        Expr::Minus(inner) => is_never_empty(inner, ranges),
        Expr::Binary(_, left, right) => is_never_empty(left, ranges) && is_never_empty(right, ranges),
        Expr::Fold(Fold::Sum | Fold::Count(_) | Fold::Size, ..) => true,
        Expr::Fold(_, Over::Elements, inner) => is_never_empty(inner, ranges),
        Expr::Fold(_, Over::Instances(block), _) => instances(*block, ranges).lo >= 1,
        Expr::Fold(_, Over::Occurrences(_), _) => false,
    }
}

/// Where a sum of numbers that are never negative is bounded from above, each of them is: `sum(n) <= 2e5` bounds `n`; and so it
/// is where the largest is, or the smallest from below. A fold is taken apart until a field is no longer one of several in it.
fn bound_of_each(format: &Format, field: FieldId, comparison: &Comparison) -> Option<Comparison> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let (fold, each, sign, bound) = match (left, right) {
        (Expr::Fold(fold, _, each), _) => (*fold, each, comparison.sign, right),
        (_, Expr::Fold(fold, _, each)) => (*fold, each, comparison.sign.mirrored(), left),
        _ => return None,
    };
    let is_upper = matches!(sign, Sign::Less | Sign::LessEqual | Sign::Equal);
    let is_lower = matches!(sign, Sign::Greater | Sign::GreaterEqual | Sign::Equal);
    let sign = match fold {
        Fold::Sum if is_upper && bounds_of(each, &Stated(format)).lo >= 0 => at_most(sign),
        Fold::Max if is_upper => at_most(sign),
        Fold::Min if is_lower => at_most(sign.mirrored()).mirrored(),
        _ => return None,
    };
    let each = Comparison { decimals: comparison.decimals, ..Comparison::new((**each).clone(), sign, bound.clone()) };
    let is_folded = each.left.iter().chain(&each.right).any(|e| format.folds(e, field));
    if is_folded { bound_of_each(format, field, &each).or(Some(each)) } else { Some(each) }
}

/// Returns the upper bound that a sign is or has in it.
fn at_most(sign: Sign) -> Sign {
    if sign == Sign::Less { Sign::Less } else { Sign::LessEqual }
}

/// What one comparison leaves of a field's range and of its free length.
fn narrowed(format: &Format, id: FieldId, comparison: &Comparison) -> (Interval, Interval) {
    let field = format.field(id);
    let stated = Stated(format);
    let length = if field.is_free() { narrow_length(id, field.length, comparison, &stated) } else { field.length };
    if field.letters().is_none() {
        let folded = comparison.left.iter().chain(&comparison.right).any(|e| format.folds(e, id));
        let each = if folded { bound_of_each(format, id, comparison) } else { None };
        return (narrow(id, field.range, each.as_ref().unwrap_or(comparison), &stated), length);
    }
    (field.range, length)
}

/// What a comparison leaves of a length that only the input tells.
pub(crate) fn narrow_length(id: FieldId, length: Interval, comparison: &Comparison, ranges: &impl Ranges) -> Interval {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return length };
    let (bound, sign) = match (left, right) {
        (Expr::Length(f), other) if *f == id => (other, comparison.sign),
        (other, Expr::Length(f)) if *f == id => (other, comparison.sign.mirrored()),
        _ => return length,
    };
    cut(length, sign, bounds_of(bound, ranges))
}

fn range_text(range: Interval) -> String {
    match (range.lo == -LARGEST, range.hi == LARGEST) {
        (false, false) if range.lo == range.hi => range.lo.to_string(),
        (true, true) => "any number".to_owned(),
        (true, false) => format!("at most {}", range.hi),
        (false, true) => format!("at least {}", range.lo),
        (false, false) => format!("{}..{}", range.lo, range.hi),
    }
}

fn missing_bounds(format: &Format, problems: &mut Vec<Diagnostic>) {
    for field in &format.fields {
        let name = &field.name;
        if field.is_free() && field.length.hi == LARGEST {
            let message = format!("the length of `{name}` has no upper bound");
            let help = format!("add `1 <= len({name}) <= 100` to the where part");
            problems.push(Diagnostic::error("no-bound", field.span, message).caret("how long can it be?").help(help));
        }
        if field.letters().is_some() {
            continue;
        }
        let (low, high) = (field.range.lo == -LARGEST, field.range.hi == LARGEST);
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
                    .caret("which values can it take?")
                    .help(help),
            );
        }
    }
}

/// Constraints that the ranges alone rule out, and sizes that can be negative.
fn impossible(format: &Format, problems: &mut Vec<Diagnostic>) {
    let stated = Stated(format);
    for constraint in &format.constraints {
        let Rule::Compare(comparison) = &constraint.rule else { continue };
        if !speaks_surely(format, None, constraint.home, comparison) {
            continue;
        }
        let sides: Vec<(Interval, Interval)> = comparison
            .left
            .iter()
            .zip(&comparison.right)
            .map(|(left, right)| (bounds_of(left, &stated), bounds_of(right, &stated)))
            .collect();
        let holds = |(left, right): &(Interval, Interval)| possible(*left, comparison.sign, *right);
        let fine = match comparison.sign {
            Sign::NotEqual => sides.iter().any(holds),
            _ => sides.iter().all(holds),
        };
        let apart = always_apart(comparison);
        if !fine || apart.is_some_and(|by| !possible(Interval::point(by), comparison.sign, Interval::point(0))) {
            let caret = match (&*sides, apart) {
                (_, Some(by)) if fine && by != 0 => format!("the two sides always differ by {}", by.abs()),
                ([(left, right)], _) => format!("{} and {}", range_text(*left), range_text(*right)),
                _ => "both sides are always the same".to_owned(),
            };
            problems.push(
                Diagnostic::error("never", constraint.span, "this can never hold, given the other constraints")
                    .caret(caret),
            );
        }
    }
    contradicting(format, &stated, problems);
    negative_sizes(format, &stated, problems);
}

/// Constraints on the same expression that leave nothing of it: `sum(n) >= 300000` beside `sum(n) <= 200000`.
fn contradicting(format: &Format, stated: &Stated<'_>, problems: &mut Vec<Diagnostic>) {
    let mut left_of: Vec<(&Expr, BlockId, Interval)> = Vec::new();
    for constraint in &format.constraints {
        let Rule::Compare(comparison) = &constraint.rule else { continue };
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { continue };
        if comparison.sign == Sign::NotEqual || !speaks_surely(format, None, constraint.home, comparison) {
            continue;
        }
        for (side, sign, other) in [(left, comparison.sign, right), (right, comparison.sign.mirrored(), left)] {
            // What is left of a field alone is its range.
            if matches!(side, Expr::Constant(_) | Expr::Field(_)) {
                continue;
            }
            let range = cut(Interval::ALL, sign, bounds_of(other, stated));
            match left_of.iter_mut().find(|(expr, home, _)| *expr == side && *home == constraint.home) {
                Some((.., known)) if known.intersect(range).is_empty() => {
                    let message = "this can never hold, given the other constraints";
                    let caret = format!("they leave {}", range_text(*known));
                    problems.push(Diagnostic::error("never", constraint.span, message).caret(caret));
                    return;
                }
                Some((.., known)) => *known = known.intersect(range),
                None => left_of.push((side, constraint.home, range)),
            }
        }
    }
}

/// By how much the left side is always more than the right one, if that does not depend on any field: `n-1 = n-2`.
fn always_apart(comparison: &Comparison) -> Option<i128> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let difference = Linear::of(left)?.minus(&Linear::of(right)?)?;
    difference.factors.is_empty().then_some(difference.constant)
}

fn negative_sizes(format: &Format, stated: &Stated<'_>, problems: &mut Vec<Diagnostic>) {
    let sizes = format.fields.iter().flat_map(|f| {
        f.dimensions.iter().filter_map(move |d| match d {
            Dimension::Size(size) => Some((size, f.block, f.span, format!("`{}`", f.name))),
            Dimension::Free => None,
        })
    });
    let counts = format.blocks.iter().filter_map(|b| {
        let around = b.parent.unwrap_or(BlockId(0));
        Some((b.count.times()?, around, b.span, "this block".to_owned()))
    });
    for (size, block, span, what) in sizes.chain(counts) {
        let range = bounds_of(size, stated);
        if range.lo < 0 && !is_natural(format, block, size) {
            problems.push(
                Diagnostic::error("negative-size", span, format!("the size of {what} can be negative"))
                    .caret(format!("down to {}", range.lo))
                    .help("bound the numbers in it so that it is never less than 0, as `l <= r` does for `r - l + 1`"),
            );
        }
    }
}

/// Returns true if constraints on several numbers show that a size is never negative: `r - l + 1` where `l <= r`.
fn is_natural(format: &Format, block: BlockId, size: &Expr) -> bool {
    /// More bounds that add up are never needed in practice.
    const MAX_BOUNDS: usize = 3;
    let holds_here = |field: &FieldId| {
        let info = format.field(*field);
        info.is_scalar() && format.is_within(block, info.block)
    };
    let stated = format.constraints.iter().filter_map(|constraint| match &constraint.rule {
        Rule::Compare(comparison) => at_least_zero(comparison),
        _ => None,
    });
    let bounds: Vec<Linear> = stated.filter(|sum| sum.factors.keys().all(holds_here)).collect();
    Linear::of(size).is_some_and(|size| is_natural_by(format, &size, &bounds, MAX_BOUNDS))
}

/// Returns true if a sum is at least that of some of the bounds, each of which is never negative.
fn is_natural_by(format: &Format, sum: &Linear, bounds: &[Linear], left: usize) -> bool {
    if least_of(format, sum) >= 0 {
        return true;
    }
    let helps = |bound: &&Linear| {
        let is_shared = |(field, factor): (&FieldId, &i128)| sum.factors.get(field).is_some_and(|own| own * factor > 0);
        bound.factors.iter().any(is_shared)
    };
    left > 0
        && bounds
            .iter()
            .filter(helps)
            .any(|bound| sum.clone().minus(bound).is_some_and(|rest| is_natural_by(format, &rest, bounds, left - 1)))
}

/// The least that a sum can come to, as far as the ranges of its fields tell.
fn least_of(format: &Format, sum: &Linear) -> i128 {
    let least = |(field, factor): (&FieldId, &i128)| {
        let range = format.field(*field).range;
        (*factor).saturating_mul(if *factor < 0 { range.hi } else { range.lo })
    };
    sum.factors.iter().map(least).fold(sum.constant, i128::saturating_add)
}

/// What a comparison says is never negative: `r - l` for `l <= r`.
fn at_least_zero(comparison: &Comparison) -> Option<Linear> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let (less, more, is_strict) = match comparison.sign {
        Sign::Less => (left, right, true),
        Sign::LessEqual | Sign::Equal => (left, right, false),
        Sign::Greater => (right, left, true),
        Sign::GreaterEqual => (right, left, false),
        Sign::NotEqual => return None,
    };
    let mut difference = Linear::of(more)?.minus(&Linear::of(less)?)?;
    difference.constant = difference.constant.checked_sub(i128::from(is_strict))?;
    Some(difference)
}
