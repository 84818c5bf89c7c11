//! Formats with a constraint negated: their valid inputs are violations.

use super::constraint_breach::ConstraintBreach;
use crate::generate::min_input_elements;
use crate::language::{Constraint, ConstraintRule, Expr, FieldKind, Format, InstanceCount, Interval};
use crate::tuning::NUMBER_TIERS;

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
