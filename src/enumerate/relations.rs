//! Linear relations between the elements of one array, and what they leave of each element's range.
//!
//! `symmetric(d)`, `forall i in 1..n: d[i][i] = 0` and `sum(a) = S` tie elements of an array to each other. Once the sizes
//! of the array are known, such a constraint is a set of relations `lo <= factor * element + ... <= hi`. They narrow the
//! ranges of all elements to come, so that the search neither tries the numbers that break a relation much later, nor
//! distances that the elements to come cannot use up.
//!
//! All of this only saves work: what is no linear relation (an `or`, a product of two elements) is left out.

use super::known::Known;
use super::leaf::{Span, rank};
use super::prefix::Prefix;
use super::walk::Walk;
use crate::format::{
    Comparison, Expr, FieldId, Fold, Formula, Interval, Operator, Over, Quantified, Ranges, Rule, Sign, bounds_of, cut,
    is_never_empty,
};
use crate::value::{self, Scope, Unknown};

/// Relations between the elements of an array.
#[derive(Debug)]
pub(super) struct Relations {
    /// The number of elements.
    count: usize,
    relations: Vec<Relation>,
    /// Relations of which no two speak of the same element, and each of which sums up elements: how far all of its elements
    /// together are away from the simplest follows from it.
    sums: Vec<usize>,
}

/// A sum of elements, each with a factor, that is within a range.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Relation {
    /// Positions in the array, ascending.
    terms: Vec<(usize, i128)>,
    within: Interval,
}

/// What relations leave of an array that is being filled.
#[derive(Debug)]
pub(super) struct Left {
    /// The range of the next element.
    pub(super) next: Interval,
    /// Bounds on the sum of distances of all elements behind the next.
    pub(super) nearest: u128,
    pub(super) farthest: u128,
}

/// More relations would take longer to look at than they save.
const MAX_TERMS: usize = 20_000;

/// How often all relations are gone through for one choice: ranges that narrow each other little by little are left.
const MAX_ROUNDS: usize = 4;

impl Relations {
    /// The relations between the elements of the array that is filled next; none if there are none.
    pub(super) fn new(walk: &Walk<'_>, prefix: &Prefix, field: FieldId) -> Option<Relations> {
        if walk.early.relating(field).is_empty() {
            return None;
        }
        let relations = prefix.with_innermost(walk.format, |scope| {
            let known = Known { scope, spine: &prefix.spine };
            let sizes =
                (0..walk.format.field(field).dimensions.len()).map(|d| value::size(field, d, scope).ok().flatten());
            let sizes: Vec<usize> = sizes.collect::<Option<_>>()?;
            let mut collector = Collector { known: &known, field, sizes, terms: 0, relations: Vec::new() };
            for constraint in walk.early.relating(field) {
                let constraint = &walk.format.constraints[*constraint];
                let Some(home) = scope.of(constraint.home) else { continue };
                match &constraint.rule {
                    Rule::Compare(comparison) => collector.comparison(comparison, home),
                    Rule::Formula(formula) => collector.formula(formula, home),
                    _ => {}
                }
            }
            Some(Relations::of(collector.sizes.iter().product(), collector.relations))
        })?;
        (!relations.relations.is_empty()).then_some(relations)
    }

    fn of(count: usize, mut relations: Vec<Relation>) -> Relations {
        relations.iter_mut().for_each(Relation::normalize);
        relations.retain(|relation| !relation.terms.is_empty());
        // The longest sums first: they say most.
        let mut by_length: Vec<usize> = (0..relations.len()).filter(|i| relations[*i].is_sum()).collect();
        by_length.sort_by_key(|i| std::cmp::Reverse(relations[*i].terms.len()));
        let mut taken = vec![false; count];
        let mut sums = Vec::new();
        for i in by_length {
            if relations[i].terms.iter().all(|(at, _)| !taken[*at]) {
                relations[i].terms.iter().for_each(|(at, _)| taken[*at] = true);
                sums.push(i);
            }
        }
        Relations { count, relations, sums }
    }

    /// What is left, with `chosen` at the front of the array, `next` behind it and the others within `each`; none if
    /// the relations contradict it.
    pub(super) fn left(&self, chosen: &[i128], next: Interval, each: Span) -> Option<Left> {
        let at = chosen.len();
        let mut ranges: Vec<Interval> = chosen.iter().map(|number| Interval::point(*number)).collect();
        ranges.push(next);
        ranges.resize(self.count.max(at + 1), each.range);
        for _ in 0..MAX_ROUNDS {
            let mut changed = false;
            for relation in self.relations.iter().filter(|relation| relation.last() >= at) {
                changed |= relation.narrow(&mut ranges, at)?;
            }
            if !changed {
                break;
            }
        }
        let (nearest, farthest) = self.distances(&ranges, at, each)?;
        Some(Left { next: ranges[at], nearest, farthest })
    }

    /// Bounds on the sum of distances of all elements behind a position.
    fn distances(&self, ranges: &[Interval], at: usize, each: Span) -> Option<(u128, u128)> {
        let span = |i: usize| Span { range: ranges[i], ..each };
        let ends = |(nearest, farthest): (u128, u128), i: usize| {
            (nearest.saturating_add(span(i).nearest()), farthest.saturating_add(span(i).farthest()))
        };
        let (mut nearest, mut farthest) = (at + 1..ranges.len()).fold((0, 0), ends);
        for sum in &self.sums {
            let relation = &self.relations[*sum];
            let (known, later) = relation.terms.split_at(relation.terms.partition_point(|(i, _)| *i <= at));
            let Some((first, _)) = later.first() else { continue };
            let known = known.iter().fold(Interval::point(0), |sum, (i, _)| added(sum, ranges[*i]));
            let within =
                Interval::new(relation.within.lo.saturating_sub(known.hi), relation.within.hi.saturating_sub(known.lo));
            let hull = later.iter().fold(ranges[*first], |hull, (i, _)| hull.hull(ranges[*i]));
            let count = Interval::point(later.len() as i128);
            let (least, most) = Span { range: hull, ..each }.distances_of_sum(within, count)?;
            let (own_least, own_most) = later.iter().fold((0, 0), |sum, (i, _)| ends(sum, *i));
            nearest = nearest.saturating_add(least.saturating_sub(own_least));
            farthest = farthest.saturating_sub(own_most.saturating_sub(most));
        }
        Some((nearest, farthest))
    }
}

impl Relation {
    /// The same, each position once.
    fn normalize(&mut self) {
        self.terms.sort_unstable();
        self.terms.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 = earlier.1.saturating_add(later.1);
            }
            same
        });
        self.terms.retain(|(_, factor)| *factor != 0);
        if self.terms.iter().all(|(_, factor)| *factor == -1) {
            self.terms.iter_mut().for_each(|(_, factor)| *factor = 1);
            self.within = Interval::new(self.within.hi.saturating_neg(), self.within.lo.saturating_neg());
        }
    }

    fn is_sum(&self) -> bool {
        self.terms.iter().all(|(_, factor)| *factor == 1)
    }

    fn last(&self) -> usize {
        self.terms.last().map_or(0, |(at, _)| *at)
    }

    /// Narrows the ranges of the elements from a position on. Whether one changed; none if nothing is left of one.
    fn narrow(&self, ranges: &mut [Interval], from: usize) -> Option<bool> {
        let sum =
            self.terms.iter().fold(Interval::point(0), |sum, (at, factor)| added(sum, scaled(ranges[*at], *factor)));
        if sum.intersect(self.within).is_empty() {
            return None;
        }
        let mut changed = false;
        for (at, factor) in self.terms.iter().filter(|(at, _)| *at >= from) {
            let own = scaled(ranges[*at], *factor);
            // What the others leave for this one.
            let left = Interval::new(
                self.within.lo.saturating_sub(sum.hi.saturating_sub(own.hi)),
                self.within.hi.saturating_sub(sum.lo.saturating_sub(own.lo)),
            );
            let narrowed = ranges[*at].intersect(divided(left, *factor));
            if narrowed.is_empty() {
                return None;
            }
            changed |= narrowed != ranges[*at];
            ranges[*at] = narrowed;
        }
        Some(changed)
    }
}

fn added(a: Interval, b: Interval) -> Interval {
    Interval::new(a.lo.saturating_add(b.lo), a.hi.saturating_add(b.hi))
}

fn scaled(range: Interval, factor: i128) -> Interval {
    let (a, b) = (range.lo.saturating_mul(factor), range.hi.saturating_mul(factor));
    Interval::new(a.min(b), a.max(b))
}

/// The numbers whose product with the factor is within a range. The factor is not 0.
fn divided(range: Interval, factor: i128) -> Interval {
    let range = if factor < 0 { Interval::new(range.hi.saturating_neg(), range.lo.saturating_neg()) } else { range };
    let factor = factor.saturating_abs();
    Interval::new(-(range.lo.saturating_neg().div_euclid(factor)), range.hi.div_euclid(factor))
}

/// Gathers the relations of constraints.
struct Collector<'k, 'a, 's> {
    known: &'k Known<'a, 's>,
    field: FieldId,
    sizes: Vec<usize>,
    terms: usize,
    relations: Vec<Relation>,
}

/// A sum of elements, and bounds on all that is added to them.
#[derive(Clone, Debug)]
struct Sum {
    terms: Vec<(usize, i128)>,
    others: Interval,
}

impl Collector<'_, '_, '_> {
    fn comparison(&mut self, comparison: &Comparison, scope: &Scope<'_>) {
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return };
        // The largest of nothing can be compared with anything.
        if !is_never_empty(left, self.known) || !is_never_empty(right, self.known) {
            return;
        }
        let (Some(left), Some(right)) = (self.sum(left, scope), self.sum(right, scope)) else { return };
        let difference = left.plus(right.times(-1));
        let signed = cut(Interval::ALL, comparison.sign, Interval::point(0));
        if comparison.sign == Sign::NotEqual || difference.terms.is_empty() {
            return;
        }
        let within = Interval::new(
            signed.lo.saturating_sub(difference.others.hi),
            signed.hi.saturating_sub(difference.others.lo),
        );
        let relation = Relation { terms: difference.terms, within };
        let is_text = self.known.format().field(self.field).letters().is_some();
        let relation = if is_text { self.in_ranks(relation) } else { Some(relation) };
        if let Some(relation) = relation {
            self.terms += relation.terms.len();
            self.relations.push(relation);
        }
    }

    /// A relation of codes of letters as one of their ranks, if it says that two are the same, or which one it is.
    fn in_ranks(&self, relation: Relation) -> Option<Relation> {
        match &*relation.terms {
            [(_, a), (_, b)] if a.abs() == 1 && *a == -b && relation.within == Interval::point(0) => Some(relation),
            [(at, 1)] if relation.within.lo == relation.within.hi => {
                let rank = rank(self.known.format(), self.field, relation.within.lo);
                Some(Relation { terms: vec![(*at, 1)], within: Interval::point(rank) })
            }
            _ => None,
        }
    }

    fn formula(&mut self, formula: &Formula, scope: &Scope<'_>) {
        match formula {
            Formula::Compare(comparison) => self.comparison(comparison, scope),
            Formula::All(parts) => parts.iter().for_each(|part| self.formula(part, scope)),
            Formula::Any(parts) => {
                // All others are false already.
                let mut open = parts.iter().filter(|part| !self.is_settled_as(part, scope, false));
                if let (Some(only), None) = (open.next(), open.next()) {
                    self.formula(only, scope);
                }
            }
            Formula::Each(quantified) => self.each(quantified, scope),
            Formula::Some(_) => {}
        }
    }

    fn each(&mut self, quantified: &Quantified, scope: &Scope<'_>) {
        let (Some(first), Some(last)) =
            (self.number(&quantified.range.0, scope), self.number(&quantified.range.1, scope))
        else {
            return;
        };
        for number in first..=last {
            if self.terms > MAX_TERMS || number - first > MAX_TERMS as i128 {
                return;
            }
            let mut variables = scope.variables.to_vec();
            variables.push(number);
            self.formula(&quantified.body, &scope.with(&variables));
        }
    }

    /// Whether a formula is true, or false, whatever is chosen later.
    fn is_settled_as(&self, formula: &Formula, scope: &Scope<'_>, wanted: bool) -> bool {
        match formula {
            Formula::Compare(comparison) => {
                let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return false };
                match (self.number(left, scope), self.number(right, scope)) {
                    (Some(left), Some(right)) => comparison.sign.holds(&left, &right) == wanted,
                    _ => false,
                }
            }
            Formula::All(parts) if wanted => parts.iter().all(|part| self.is_settled_as(part, scope, true)),
            Formula::All(parts) => parts.iter().any(|part| self.is_settled_as(part, scope, false)),
            Formula::Any(parts) if wanted => parts.iter().any(|part| self.is_settled_as(part, scope, true)),
            Formula::Any(parts) => parts.iter().all(|part| self.is_settled_as(part, scope, false)),
            Formula::Each(_) | Formula::Some(_) => false,
        }
    }

    /// The value of an expression that nothing chosen later changes.
    fn number(&self, expr: &Expr, scope: &Scope<'_>) -> Option<i128> {
        if expr.mentions(self.field) || !self.known.is_settled(expr) {
            return None;
        }
        value::number(expr, scope).ok()
    }

    /// An expression as a sum of elements and of what else there is; none if it is no such sum.
    fn sum(&self, expr: &Expr, scope: &Scope<'_>) -> Option<Sum> {
        if !expr.mentions(self.field) {
            return self.others(expr, scope);
        }
        match expr {
            Expr::Element(field, indices) if *field == self.field && indices.len() == self.sizes.len() => {
                let positions = self.positions(indices, scope)?;
                Some(Sum { terms: positions.map(|at| (at, 1)).collect(), others: Interval::point(0) })
            }
            Expr::Fold(Fold::Sum, Over::Elements, inner) => {
                let positions = match &**inner {
                    Expr::Field(field) if *field == self.field => self.positions(&[], scope)?,
                    Expr::Element(field, indices) if *field == self.field => self.positions(indices, scope)?,
                    _ => return None,
                };
                Some(Sum { terms: positions.map(|at| (at, 1)).collect(), others: Interval::point(0) })
            }
            Expr::Minus(inner) => Some(self.sum(inner, scope)?.times(-1)),
            Expr::Binary(Operator::Plus, left, right) => Some(self.sum(left, scope)?.plus(self.sum(right, scope)?)),
            Expr::Binary(Operator::Minus, left, right) => {
                Some(self.sum(left, scope)?.plus(self.sum(right, scope)?.times(-1)))
            }
            Expr::Binary(Operator::Times, left, right) => match (self.number(left, scope), self.number(right, scope)) {
                (Some(factor), _) => Some(self.sum(right, scope)?.times(factor)),
                (_, Some(factor)) => Some(self.sum(left, scope)?.times(factor)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What does not mention the array.
    fn others(&self, expr: &Expr, scope: &Scope<'_>) -> Option<Sum> {
        let others = match value::number(expr, scope) {
            Ok(number) if self.known.is_settled(expr) => Interval::point(number),
            // It is not chosen yet; a variable has no range that `bounds_of` knows.
            Ok(_) | Err(Unknown::Missing) => bounds_of(expr, self.known),
            Err(Unknown::Empty | Unknown::Undefined | Unknown::Absent(_)) => return None,
        };
        (others != Interval::ALL).then(|| Sum { terms: Vec::new(), others })
    }

    /// The positions of the elements that indices pick, counted from 1 in each dimension; none if one is not known or
    /// leaves the array, or if they count repetitions.
    fn positions(&self, indices: &[Expr], scope: &Scope<'_>) -> Option<std::ops::Range<usize>> {
        if self.known.format().counts_repetitions(self.field, indices) {
            return None;
        }
        let (outer, inner) = self.sizes.split_at_checked(indices.len())?;
        let mut at = 0;
        for (index, size) in indices.iter().zip(outer) {
            let index = usize::try_from(self.number(index, scope)?).ok()?.checked_sub(1).filter(|i| i < size)?;
            at = at * size + index;
        }
        let row: usize = inner.iter().product();
        Some(at * row..(at + 1) * row)
    }
}

impl Sum {
    fn times(mut self, factor: i128) -> Sum {
        self.terms.iter_mut().for_each(|(_, own)| *own = own.saturating_mul(factor));
        self.others = scaled(self.others, factor);
        self
    }

    fn plus(mut self, other: Sum) -> Sum {
        self.terms.extend(other.terms);
        self.others = added(self.others, other.others);
        self
    }
}
