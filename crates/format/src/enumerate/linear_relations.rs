//! Linear relations between the elements of one array, and the ranges that they leave of each element.
//!
//! `symmetric(d)`, `forall i in 1..n: d[i][i] = 0` and `sum(a) = S` relate elements of an array to each other.
//! Once the sizes of the array are known, such a constraint is a set of relations `lo <= factor * element + ...
//! <= hi`. They narrow the ranges of all remaining elements, so the search tries neither numbers that break a
//! relation much later, nor distances that the remaining elements cannot use up.
//!
//! This only saves work: constraints that are not linear (an `or`, a product of two elements) are left out.

use super::distance_span::{DistanceSpan, letter_rank};
use super::layout_walker::LayoutWalker;
use super::prefix::Prefix;
use super::prefix_ranges::PrefixRanges;
use crate::constraints::KnownPrefix;
use crate::language::{
    ArithmeticOperator, Comparison, ComparisonOperator, Expr, FieldId, FoldKind, FoldRange, Formula, Interval,
    QuantifiedFormula, RangeSource, evaluate_range, is_never_empty, narrow_by_operator,
};
use crate::tuning::{MAX_RELATION_ITERATIONS, MAX_RELATION_ROUNDS, MAX_RELATION_TERMS, STEPS_PER_ITERATION};
use crate::value::{self, EvalError, ValueScope};

/// The relations between the elements of an array.
#[derive(Debug)]
pub(super) struct ArrayRelations {
    /// The number of elements.
    count: usize,
    relations: Vec<LinearRelation>,
    /// Indices of disjoint relations that are plain sums: each bounds the sum of the distances of its elements.
    sums: Vec<usize>,
}

/// A linear combination of elements with a range.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LinearRelation {
    /// Positions in the array, ascending, with their factors.
    terms: Vec<(usize, i128)>,
    within: Interval,
}

/// The bounds that relations put on the rest of an open array.
#[derive(Debug)]
pub(super) struct RelationBounds {
    /// The range of the next element.
    pub(super) next: Interval,
    /// Bounds on the sum of the distances of all elements after the next.
    pub(super) min_distance: u128,
    pub(super) max_distance: u128,
}

impl ArrayRelations {
    /// Returns the relations of the array that is filled next, or `None` if it has none.
    pub(super) fn new(walker: &LayoutWalker<'_>, prefix: &Prefix, field: FieldId) -> Option<ArrayRelations> {
        if walker.pruner.of_field(field).relating_constraints.is_empty() {
            return None;
        }
        let relations = prefix.with_innermost(walker.format, |scope| {
            let known = PrefixRanges { scope, prefix };
            let sizes = (0..walker.format.field(field).dimensions.len())
                .map(|d| value::dimension_size(field, d, scope).ok().flatten());
            let sizes: Vec<usize> = sizes.collect::<Option<_>>()?;
            let mut collector =
                RelationCollector { known: &known, field, sizes, terms: 0, iterations: 0, relations: Vec::new() };
            for constraint in &walker.pruner.of_field(field).relating_constraints {
                let constraint = &walker.format.constraints[*constraint];
                let Some(home) = scope.scope_of_block(constraint.home_block) else { continue };
                if let Some(comparison) = constraint.rule.comparison() {
                    collector.collect_comparison(comparison, home);
                } else if let Some(formula) = constraint.rule.formula() {
                    collector.collect_formula(formula, home);
                }
            }
            walker.add_steps(STEPS_PER_ITERATION * collector.iterations + collector.terms);
            Some(ArrayRelations::from_relations(collector.sizes.iter().product(), collector.relations))
        })?;
        (!relations.relations.is_empty()).then_some(relations)
    }

    fn from_relations(count: usize, mut relations: Vec<LinearRelation>) -> ArrayRelations {
        relations.iter_mut().for_each(LinearRelation::normalize_terms);
        relations.retain(|relation| !relation.terms.is_empty());
        // Greedily take the longest disjoint sums: they bound the most elements.
        let is_plain_sum = |i: &usize| relations[*i].terms.iter().all(|(_, factor)| *factor == 1);
        let mut by_length: Vec<usize> = (0..relations.len()).filter(is_plain_sum).collect();
        by_length.sort_by_key(|i| std::cmp::Reverse(relations[*i].terms.len()));
        let mut taken = vec![false; count];
        let mut sums = Vec::new();
        for i in by_length {
            if relations[i].terms.iter().all(|(at, _)| !taken[*at]) {
                relations[i].terms.iter().for_each(|(at, _)| taken[*at] = true);
                sums.push(i);
            }
        }
        ArrayRelations { count, relations, sums }
    }

    /// Returns the bounds on the rest, with `chosen` at the front of the array, `next` after it and all others
    /// within `each`. Returns `None` if the relations contradict this.
    pub(super) fn bound_remaining(
        &self,
        chosen: &[i128],
        next: Interval,
        each: DistanceSpan,
    ) -> Option<RelationBounds> {
        // The ranges of all elements: those chosen, the next one, and the others.
        let at = chosen.len();
        let mut ranges: Vec<Interval> = chosen.iter().map(|number| Interval::from_value(*number)).collect();
        ranges.push(next);
        ranges.resize(self.count.max(at + 1), each.range);
        debug_assert!(
            self.relations.iter().all(|relation| relation.last_position() < ranges.len()),
            "relations are about elements of the array"
        );
        // Propagate ranges through the relations until nothing changes.
        for _ in 0..MAX_RELATION_ROUNDS {
            let mut changed = false;
            for relation in self.relations.iter().filter(|relation| relation.last_position() >= at) {
                changed |= relation.narrow_ranges(&mut ranges, at)?;
            }
            if !changed {
                break;
            }
        }
        let (nearest, farthest) = self.remaining_distances(&ranges, at, each)?;
        Some(RelationBounds { next: ranges[at], min_distance: nearest, max_distance: farthest })
    }

    /// Returns bounds on the sum of the distances of all elements after a position.
    fn remaining_distances(&self, ranges: &[Interval], at: usize, each: DistanceSpan) -> Option<(u128, u128)> {
        let span = |i: usize| DistanceSpan { range: ranges[i], ..each };
        let ends = |(nearest, farthest): (u128, u128), i: usize| {
            (nearest.saturating_add(span(i).min_distance()), farthest.saturating_add(span(i).max_distance()))
        };
        let (mut nearest, mut farthest) = (at + 1..ranges.len()).fold((0, 0), ends);
        // Where a sum bounds its later elements more tightly than their ranges, use the difference.
        for sum in &self.sums {
            let relation = &self.relations[*sum];
            let (known, later) = relation.terms.split_at(relation.terms.partition_point(|(i, _)| *i <= at));
            let Some((first, _)) = later.first() else { continue };
            let known = known.iter().fold(Interval::from_value(0), |sum, (i, _)| sum.sum_with(ranges[*i]));
            // The range that the elements up to `at` leave for the sum of the later ones.
            let within = relation.within.difference_with(known);
            let hull = later.iter().fold(ranges[*first], |hull, (i, _)| hull.hull_with(ranges[*i]));
            let count = Interval::from_value(later.len() as i128);
            let (least, most) = DistanceSpan { range: hull, ..each }.distances_of_sum(within, count)?;
            let (own_least, own_most) = later.iter().fold((0, 0), |sum, (i, _)| ends(sum, *i));
            nearest = nearest.saturating_add(least.saturating_sub(own_least));
            farthest = farthest.saturating_sub(own_most.saturating_sub(most));
        }
        Some((nearest, farthest))
    }
}

impl LinearRelation {
    /// Merges equal positions, and makes a negated sum positive.
    fn normalize_terms(&mut self) {
        self.terms.sort_unstable();
        self.terms.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 = earlier.1.saturating_add(later.1);
            }
            same
        });
        self.terms.retain(|(_, factor)| *factor != 0);
        debug_assert!(self.terms.is_sorted_by(|one, next| one.0 < next.0), "each position has one term");
        if self.terms.iter().all(|(_, factor)| *factor == -1) {
            self.terms.iter_mut().for_each(|(_, factor)| *factor = 1);
            self.within = Interval::new(self.within.hi.saturating_neg(), self.within.lo.saturating_neg());
        }
    }

    fn last_position(&self) -> usize {
        self.terms.last().map_or(0, |(at, _)| *at)
    }

    /// Narrows the ranges of the elements from a position on. Returns whether one changed, or `None` if one is
    /// empty.
    fn narrow_ranges(&self, ranges: &mut [Interval], from: usize) -> Option<bool> {
        let sum = self
            .terms
            .iter()
            .fold(Interval::from_value(0), |sum, (at, factor)| sum.sum_with(scale_interval(ranges[*at], *factor)));
        if sum.intersect(self.within).is_empty() {
            return None;
        }
        let mut changed = false;
        for (at, factor) in self.terms.iter().filter(|(at, _)| *at >= from) {
            let own = scale_interval(ranges[*at], *factor);
            // The range that the others leave for this element.
            let left = Interval::new(
                self.within.lo.saturating_sub(sum.hi.saturating_sub(own.hi)),
                self.within.hi.saturating_sub(sum.lo.saturating_sub(own.lo)),
            );
            let narrowed = ranges[*at].intersect(divide_interval(left, *factor));
            if narrowed.is_empty() {
                return None;
            }
            changed |= narrowed != ranges[*at];
            ranges[*at] = narrowed;
        }
        Some(changed)
    }
}

fn scale_interval(range: Interval, factor: i128) -> Interval {
    let (a, b) = (range.lo.saturating_mul(factor), range.hi.saturating_mul(factor));
    Interval::new(a.min(b), a.max(b))
}

/// Returns the numbers that, multiplied by a factor other than 0, are within a range.
fn divide_interval(range: Interval, factor: i128) -> Interval {
    let range = if factor < 0 { Interval::new(range.hi.saturating_neg(), range.lo.saturating_neg()) } else { range };
    let factor = factor.saturating_abs();
    Interval::new(-(range.lo.saturating_neg().div_euclid(factor)), range.hi.div_euclid(factor))
}

/// Collects the relations of constraints.
struct RelationCollector<'k, 'a, 's> {
    known: &'k PrefixRanges<'a, 's>,
    field: FieldId,
    sizes: Vec<usize>,
    terms: usize,
    /// Number of iterations of quantifiers.
    iterations: usize,
    relations: Vec<LinearRelation>,
}

/// A linear combination of elements, and the range of the constant added to it.
#[derive(Clone, Debug)]
struct ElementSum {
    terms: Vec<(usize, i128)>,
    constant: Interval,
}

impl RelationCollector<'_, '_, '_> {
    fn collect_comparison(&mut self, comparison: &Comparison, scope: &ValueScope<'_>) {
        let Some((left, right)) = comparison.single_operands() else { return };
        // Comparisons with a maximum of nothing do not apply.
        if !is_never_empty(left, self.known) || !is_never_empty(right, self.known) {
            return;
        }
        let (Some(left), Some(right)) = (self.element_sum(left, scope), self.element_sum(right, scope)) else { return };
        let difference = left.combined_with(right.scaled_by(-1));
        let signed = narrow_by_operator(Interval::ALL, comparison.sign, Interval::from_value(0));
        if comparison.sign == ComparisonOperator::NotEqual || difference.terms.is_empty() {
            return;
        }
        let within = signed.difference_with(difference.constant);
        let relation = LinearRelation { terms: difference.terms, within };
        let is_text = self.known.format().field(self.field).alphabet().is_some();
        let relation = if is_text { self.convert_to_ranks(relation) } else { Some(relation) };
        if let Some(relation) = relation {
            self.terms += relation.terms.len();
            self.relations.push(relation);
        }
    }

    /// Converts a relation of letter codes to one of ranks, if it equates two letters or fixes one.
    fn convert_to_ranks(&self, relation: LinearRelation) -> Option<LinearRelation> {
        match &*relation.terms {
            [(_, a), (_, b)] if a.abs() == 1 && *a == -b && relation.within == Interval::from_value(0) => {
                Some(relation)
            }
            [(at, 1)] if relation.within.lo == relation.within.hi => {
                let rank = letter_rank(self.known.format(), self.field, relation.within.lo);
                Some(LinearRelation { terms: vec![(*at, 1)], within: Interval::from_value(rank) })
            }
            _ => None,
        }
    }

    fn collect_formula(&mut self, formula: &Formula, scope: &ValueScope<'_>) {
        match formula {
            Formula::Compare(comparison) => self.collect_comparison(comparison, scope),
            Formula::All(parts) => parts.iter().for_each(|part| self.collect_formula(part, scope)),
            Formula::Any(parts) => {
                // A part is required if all others are already false.
                let mut open = parts.iter().filter(|part| !self.is_decided_as(part, scope, false));
                if let (Some(only), None) = (open.next(), open.next()) {
                    self.collect_formula(only, scope);
                }
            }
            Formula::ForAll(quantified) => self.collect_quantified(quantified, scope),
            Formula::Exists(_) => {}
        }
    }

    fn collect_quantified(&mut self, quantified: &QuantifiedFormula, scope: &ValueScope<'_>) {
        let (Some(first), Some(last)) =
            (self.settled_number(&quantified.range.0, scope), self.settled_number(&quantified.range.1, scope))
        else {
            return;
        };
        for number in first..=last {
            self.iterations += 1;
            if self.terms > MAX_RELATION_TERMS || self.iterations > MAX_RELATION_ITERATIONS {
                return;
            }
            let mut variables = scope.variables.to_vec();
            variables.push(number);
            self.collect_formula(&quantified.body, &scope.with_variables(&variables));
        }
    }

    /// Returns true if a formula has the value `wanted` independently of later choices.
    fn is_decided_as(&self, formula: &Formula, scope: &ValueScope<'_>, wanted: bool) -> bool {
        match formula {
            Formula::Compare(comparison) => {
                let Some((left, right)) = comparison.single_operands() else { return false };
                match (self.settled_number(left, scope), self.settled_number(right, scope)) {
                    (Some(left), Some(right)) => comparison.sign.compare(&left, &right) == wanted,
                    _ => false,
                }
            }
            Formula::All(parts) if wanted => parts.iter().all(|part| self.is_decided_as(part, scope, true)),
            Formula::All(parts) => parts.iter().any(|part| self.is_decided_as(part, scope, false)),
            Formula::Any(parts) if wanted => parts.iter().any(|part| self.is_decided_as(part, scope, true)),
            Formula::Any(parts) => parts.iter().all(|part| self.is_decided_as(part, scope, false)),
            Formula::ForAll(_) | Formula::Exists(_) => false,
        }
    }

    /// Returns the value of an expression, unless a later choice can change it.
    fn settled_number(&self, expr: &Expr, scope: &ValueScope<'_>) -> Option<i128> {
        if expr.mentions_field(self.field) || !self.known.is_settled(expr) {
            return None;
        }
        value::evaluate_number(expr, scope).ok()
    }

    /// Returns an expression as a linear combination of elements, or `None` if it is not linear.
    fn element_sum(&self, expr: &Expr, scope: &ValueScope<'_>) -> Option<ElementSum> {
        if !expr.mentions_field(self.field) {
            return self.constant_sum(expr, scope);
        }
        match expr {
            Expr::Element(field, indices) if *field == self.field && indices.len() == self.sizes.len() => {
                let positions = self.element_positions(indices, scope)?;
                Some(ElementSum { terms: positions.map(|at| (at, 1)).collect(), constant: Interval::from_value(0) })
            }
            Expr::Fold(FoldKind::Sum, FoldRange::Elements, inner) => {
                let positions = match &**inner {
                    Expr::Field(field) if *field == self.field => self.element_positions(&[], scope)?,
                    Expr::Element(field, indices) if *field == self.field => self.element_positions(indices, scope)?,
                    _ => return None,
                };
                Some(ElementSum { terms: positions.map(|at| (at, 1)).collect(), constant: Interval::from_value(0) })
            }
            Expr::Negate(inner) => Some(self.element_sum(inner, scope)?.scaled_by(-1)),
            Expr::Binary(ArithmeticOperator::Add, left, right) => {
                Some(self.element_sum(left, scope)?.combined_with(self.element_sum(right, scope)?))
            }
            Expr::Binary(ArithmeticOperator::Subtract, left, right) => {
                Some(self.element_sum(left, scope)?.combined_with(self.element_sum(right, scope)?.scaled_by(-1)))
            }
            Expr::Binary(ArithmeticOperator::Multiply, left, right) => {
                match (self.settled_number(left, scope), self.settled_number(right, scope)) {
                    (Some(factor), _) => Some(self.element_sum(right, scope)?.scaled_by(factor)),
                    (_, Some(factor)) => Some(self.element_sum(left, scope)?.scaled_by(factor)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns an expression that does not mention the array as a constant.
    fn constant_sum(&self, expr: &Expr, scope: &ValueScope<'_>) -> Option<ElementSum> {
        let others = match value::evaluate_number(expr, scope) {
            Ok(number) if self.known.is_settled(expr) => Interval::from_value(number),
            // It is not chosen yet, so use its range. Quantified variables have no range.
            Ok(_) | Err(EvalError::Missing) => evaluate_range(expr, self.known),
            Err(EvalError::Empty | EvalError::Undefined | EvalError::Absent(_)) => return None,
        };
        (others != Interval::ALL).then(|| ElementSum { terms: Vec::new(), constant: others })
    }

    /// Returns the positions of the elements that 1-based indices select. Returns `None` if an index is unknown
    /// or out of bounds, or if the indices count repetitions.
    fn element_positions(&self, indices: &[Expr], scope: &ValueScope<'_>) -> Option<std::ops::Range<usize>> {
        if self.known.format().indexes_repetitions(self.field, indices) {
            return None;
        }
        let (outer, inner) = self.sizes.split_at_checked(indices.len())?;
        let mut at = 0;
        for (index, size) in indices.iter().zip(outer) {
            let index =
                usize::try_from(self.settled_number(index, scope)?).ok()?.checked_sub(1).filter(|i| i < size)?;
            at = at * size + index;
        }
        let row: usize = inner.iter().product();
        Some(at * row..(at + 1) * row)
    }
}

impl ElementSum {
    fn scaled_by(mut self, factor: i128) -> ElementSum {
        self.terms.iter_mut().for_each(|(_, own)| *own = own.saturating_mul(factor));
        self.constant = scale_interval(self.constant, factor);
        self
    }

    fn combined_with(mut self, other: ElementSum) -> ElementSum {
        self.terms.extend(other.terms);
        self.constant = self.constant.sum_with(other.constant);
        self
    }
}
