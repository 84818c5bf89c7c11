//! Formats with a constraint negated: their valid inputs are violations.

use crate::constraints::{BreachNames, RuleBreach};
use crate::generate::min_input_elements;
use crate::language::{Constraint, ConstraintRule, Expr, FieldKind, Format, InstanceCount, Interval};
use crate::print::print_value;
use crate::read::read_input;
use crate::tuning::NUMBER_TIERS;
use crate::validate::violation_of_constraint;
use crate::value::Value;

/// Returns the formats in which a constraint is replaced by its negation, minimal violations first, followed by one
/// without the constraint. All formats omit the `dropped` constraints.
pub(super) fn negated_formats(format: &Format, breach: &ConstraintBreach, dropped: &[usize]) -> Vec<Format> {
    let kept = (0..format.constraints.len()).filter(|i| *i != breach.constraint && !dropped.contains(i));
    let kept: Vec<Constraint> = kept.map(|i| format.constraints[i].clone()).collect();
    let with = |rules: Vec<ConstraintRule>| {
        let added = rules.into_iter().map(|rule| Constraint { rule, ..breach.must_break.clone() });
        format.with_constraints(kept.iter().cloned().chain(added).collect())
    };
    replacement_rules(breach).into_iter().filter_map(with).collect()
}

/// Returns the format with numbers limited to tiny and then small distances from the simplest. The unlimited format
/// is only added if the rule mentions a larger constant: otherwise an unsatisfiable constraint would be searched in
/// huge inputs.
pub(super) fn size_tiers(mut format: Format, rule: &ConstraintRule) -> Vec<Format> {
    for block in &mut format.blocks {
        if let InstanceCount::Until { range, .. } = &mut block.count {
            // Violations need at least one repetition.
            range.lo = range.lo.max(1).min(range.hi);
        }
    }
    if min_input_elements(&format) > NUMBER_TIERS[1] {
        // The input is large in any case, and may need many different numbers.
        return vec![format];
    }
    let has_large_constant = rule.expressions().iter().any(|e| largest_constant(e) > NUMBER_TIERS[1]);
    let capped = |max_distance: i128| {
        let mut format = format.clone();
        for field in format.fields.iter_mut().filter(|f| matches!(f.kind, FieldKind::Number)) {
            let simplest = field.range.simplest_value();
            field.range = field.range.intersect(Interval::new(simplest - max_distance, simplest + max_distance));
        }
        format
    };
    NUMBER_TIERS.into_iter().map(capped).chain(has_large_constant.then(|| format.clone())).collect()
}

fn largest_constant(expr: &Expr) -> i128 {
    let mut largest = 0;
    expr.visit_parts(&mut |part| {
        if let Expr::Constant(number) = part {
            largest = largest.max(number.saturating_abs());
        }
        // An index bounds no number.
        !matches!(part, Expr::Element(..))
    });
    largest
}

/// Returns true if nothing can violate a constraint, even without the others.
pub(super) fn is_unbreakable(format: &Format, breach: &ConstraintBreach) -> bool {
    let broken = replacement_rules(breach).into_iter().filter(|rules| !rules.is_empty());
    let fits = |rules: Vec<ConstraintRule>| {
        let added = rules.into_iter().map(|rule| Constraint { rule, ..breach.must_break.clone() });
        format.with_constraints(added.collect()).is_some()
    };
    let mut possible = broken.map(fits).peekable();
    possible.peek().is_some() && !possible.any(|fits| fits)
}

/// Returns the rules that replace the violated one.
fn replacement_rules(breach: &ConstraintBreach) -> Vec<Vec<ConstraintRule>> {
    let held = || vec![breach.may_hold.first().map(|held| held.rule.clone()).into_iter().collect()];
    let mut found = breach.must_break.rule.kind().negations().unwrap_or_else(held);
    found.push(Vec::new());
    found.dedup();
    found
}

// The ways in which a constraint can be violated.

/// One way to violate one constraint.
#[derive(Clone, Debug)]
pub(super) struct ConstraintBreach {
    /// Index of the constraint in its format.
    pub(super) constraint: usize,
    pub(super) name: String,
    /// The condition to violate: the constraint itself, or a part of it.
    pub(super) must_break: Constraint,
    /// Whether the constraint is not written in the format, but implied by another one.
    pub(super) is_implied: bool,
    /// Constraints that distinguish this way from the others: the first of these that can hold should hold.
    pub(super) may_hold: Vec<Constraint>,
}

/// Returns all ways to violate the constraints of a format, in the order of the format.
pub(super) fn list_breaches(format: &Format) -> Vec<ConstraintBreach> {
    let breaches_of = |i: usize| {
        let constraint = &format.constraints[i];
        let names = BreachNames::new(format, constraint);
        let whole =
            || RuleBreach { name: names.constraint_name(), must_break: constraint.rule.clone(), may_hold: Vec::new() };
        let with = move |rule: ConstraintRule| Constraint { rule, ..constraint.clone() };
        constraint.rule.kind().breaches(&names).unwrap_or_else(|| vec![whole()]).into_iter().map(move |breach| {
            ConstraintBreach {
                constraint: i,
                name: breach.name,
                must_break: with(breach.must_break),
                is_implied: is_implied_by_other(format, i),
                may_hold: breach.may_hold.into_iter().map(with).collect(),
            }
        })
    };
    (0..format.constraints.len()).flat_map(breaches_of).collect()
}

/// Returns true for bounds that are implied by another constraint in the same line: those of the ends and numbers of
/// edges by a graph.
fn is_implied_by_other(format: &Format, constraint: usize) -> bool {
    let own = &format.constraints[constraint];
    let implies = |constraint: &Constraint| constraint.rule.kind().implies_bounds();
    !implies(own) && format.constraints.iter().any(|c| implies(c) && c.span == own.span)
}

// Checks of values and inputs against single constraints.

/// Checks values and bytes against a format, constraint by constraint.
pub(super) struct ConstraintChecker<'f> {
    pub(super) format: &'f Format,
    /// The layout without constraints.
    pub(super) layout: Format,
    /// The layout with the range of each number that all constraints together imply.
    ranges: Format,
}

impl<'f> ConstraintChecker<'f> {
    pub(super) fn new(format: &'f Format) -> Self {
        let layout = format.without_constraints();
        let ranges = Format { constraints: Vec::new(), ..format.clone() };
        ConstraintChecker { format, layout, ranges }
    }

    /// Returns true if a value conforms to the layout.
    pub(super) fn matches_layout(&self, value: &Value) -> bool {
        read_input(&self.layout, &print_value(&self.layout, value)).as_ref() == Ok(value)
    }

    /// Returns true if a value conforms to the layout, and each number is in its range.
    pub(super) fn matches_layout_and_ranges(&self, value: &Value) -> bool {
        read_input(&self.ranges, &print_value(&self.ranges, value)).as_ref() == Ok(value)
    }

    pub(super) fn broken_constraints(&self, value: &Value) -> Vec<usize> {
        (0..self.format.constraints.len())
            .filter(|i| violation_of_constraint(self.format, value, *i).is_some())
            .collect()
    }

    /// Returns true if a value violates no constraints other than these.
    pub(super) fn breaks_only(&self, value: &Value, allowed: &[usize]) -> bool {
        let others = (0..self.format.constraints.len()).filter(|i| !allowed.contains(i));
        others.into_iter().all(|i| violation_of_constraint(self.format, value, i).is_none())
    }

    /// Returns a format with a single constraint, to check violations of it alone.
    pub(super) fn with_single_constraint(&self, constraint: &Constraint) -> Format {
        Format { constraints: vec![constraint.clone()], ..self.layout.clone() }
    }
}
