//! Search for an input that violates one constraint and nothing else.

use super::layout_mutations::{SeedPool, seed_settings};
use super::negated_format::{ConstraintBreach, ConstraintChecker, is_unbreakable, negated_formats, size_tiers};
use super::value_mutations::{for_each_mutation, random_mutation};
use super::{BrokenRule, InvalidInput, InvalidInputs, UnbrokenRule, token_mutations};
use crate::generate::{GenerationPlan, GenerationSettings, generate_value, min_input_elements};
use crate::language::{Comparison, Constraint, ConstraintRule, Expr, FieldId, FoldKind, Format};
use crate::print::print_value;
use crate::shrink::{Oracle, ShrinkStopped, shrink_value};
use crate::tuning::{
    MAX_BREACH_DRAWS, MAX_DRAWS_PER_FORMAT, MAX_DRAWS_WITH_OTHERS, MAX_FAILED_INPUTS, MAX_JUDGED_VALUES,
    MAX_LARGE_INPUTS, MAX_RANDOM_MUTATIONS, MAX_SHRINK_CANDIDATES, MAX_SHRUNK_NODES, MAX_SMALL_ELEMENTS,
};
use crate::validate::violation_of_constraint;
use crate::value::{Measure, Value};
use rebut_generators::Choices;
use std::cell::Cell;

/// State of a search.
pub(super) struct BreachSearch<'w, 'f> {
    pub(super) checker: &'w ConstraintChecker<'f>,
    pub(super) seed_pool: &'w SeedPool,
    pub(super) seed: u64,
    pub(super) max_elements: usize,
    /// Returns true if the search should end.
    pub(super) stop: &'w dyn Fn() -> bool,
    /// Whether drawing large inputs for the current breach has failed. It takes seconds, so it is tried once.
    pub(super) large_failed: Cell<bool>,
    /// Number of draws left for the current breach.
    pub(super) draws_left: Cell<u64>,
}

struct FoundViolation {
    value: Value,
    also_broken: Vec<usize>,
}

/// A breach with the formats needed to recognize it.
#[derive(Clone)]
struct ViolationTarget<'b> {
    breach: &'b ConstraintBreach,
    /// Format with only the constraint to violate; `None` if that is the original constraint.
    broken_format: Option<Format>,
    /// Format with only the constraint that must still hold.
    held_format: Option<Format>,
    /// Whether each number must stay in the range implied by all constraints together.
    in_range: bool,
    /// Other constraints that may be violated.
    may_break: Vec<usize>,
    /// Constraints that are ignored.
    dropped: Vec<usize>,
}

impl BreachSearch<'_, '_> {
    /// Finds an input for a breach, or records why there is none.
    pub(super) fn break_constraint(&self, breach: &ConstraintBreach, found: &mut InvalidInputs) {
        self.reset_budget(MAX_BREACH_DRAWS);
        let holding = || breach.may_hold.iter().map(Some).chain([None]);
        let violated = holding().find_map(|held| self.find_in_range(&self.violation_target(breach, held)));
        let violated =
            violated.or_else(|| holding().find_map(|held| self.find_alone(&self.violation_target(breach, held))));
        let violated = violated.or_else(|| if breach.is_implied { None } else { self.find_with_others(breach) });
        if let Some(violated) = violated {
            found.inputs.push(self.to_invalid_input(breach, violated));
        } else if let Some(invalid) = self.breach_by_number_alone(breach) {
            found.inputs.push(invalid);
        } else {
            found.unbroken.push(UnbrokenRule { name: breach.name.clone(), reason: self.explain_failure(breach) });
        }
    }

    /// Resets what earlier breaches used up.
    fn reset_budget(&self, max_draws: u64) {
        self.large_failed.set(false);
        self.draws_left.set(max_draws);
    }

    /// Explains why no input was found.
    fn explain_failure(&self, breach: &ConstraintBreach) -> String {
        let format = self.checker.format;
        let text = format.source_text(breach.must_break.span);
        let mut negated = negated_formats(format, breach, &[]).into_iter();
        if breach.is_implied {
            format!("this part of `{text}` follows from the other constraints")
        } else if is_unbreakable(format, breach) {
            format!("`{text}` cannot be violated in this way")
        } else if negated.any(|negated_format| self.is_too_large(&negated_format, self.breached_rule(breach))) {
            format!("an input that violates `{text}` would have more than {} elements", self.max_elements)
        } else {
            format!("no input was found that violates `{text}` in this way")
        }
    }

    fn violation_target<'b>(&self, breach: &'b ConstraintBreach, held: Option<&Constraint>) -> ViolationTarget<'b> {
        let rule = &self.checker.format.constraints[breach.constraint].rule;
        let broken_format =
            (breach.must_break.rule != *rule).then(|| self.checker.with_single_constraint(&breach.must_break));
        ViolationTarget {
            breach,
            broken_format,
            held_format: held.map(|held| self.checker.with_single_constraint(held)),
            in_range: false,
            may_break: self.sibling_constraints(breach),
            dropped: Vec::new(),
        }
    }

    /// Returns the other constraints implied by the same line, which may be violated together with the breach.
    fn sibling_constraints(&self, breach: &ConstraintBreach) -> Vec<usize> {
        let constraints = &self.checker.format.constraints;
        let implies = |c: &Constraint| c.rule.kind().implies_bounds() && c.span == breach.must_break.span;
        if !constraints.iter().any(implies) {
            return Vec::new();
        }
        let same = |i: &usize| *i != breach.constraint && constraints[*i].span == breach.must_break.span;
        (0..constraints.len()).filter(same).collect()
    }

    /// Returns true if a value violates the constraint in the intended way, and no other constraints except those
    /// allowed.
    fn is_violation(&self, target: &ViolationTarget<'_>, value: &Value) -> bool {
        let breaks = |format: &Format| violation_of_constraint(format, value, 0).is_some();
        violation_of_constraint(self.checker.format, value, target.breach.constraint).is_some()
            && target.broken_format.as_ref().is_none_or(breaks)
            && target.held_format.as_ref().is_none_or(|held| !breaks(held))
            && self.checker.breaks_only(value, &[&[target.breach.constraint], &*target.may_break].concat())
            && if target.in_range {
                self.checker.matches_layout_and_ranges(value)
            } else {
                self.checker.matches_layout(value)
            }
    }

    fn breached_rule(&self, breach: &ConstraintBreach) -> &ConstraintRule {
        &self.checker.format.constraints[breach.constraint].rule
    }

    /// Finds a violation one step from a valid input in which all numbers stay in range: for `k <= n`, 2 and 1 is a
    /// better counterexample than 0 and -1.
    fn find_in_range(&self, target: &ViolationTarget<'_>) -> Option<FoundViolation> {
        let target = ViolationTarget { in_range: true, ..target.clone() };
        let mut steps_left = MAX_JUDGED_VALUES / 4;
        let value =
            self.seed_pool.seeds.iter().find_map(|value| self.find_one_step_away(&target, value, &mut steps_left))?;
        Some(self.finish_violation(&target, value))
    }

    fn find_alone(&self, target: &ViolationTarget<'_>) -> Option<FoundViolation> {
        let mut steps_left = MAX_JUDGED_VALUES;
        let value = self
            .seed_pool
            .seeds
            .iter()
            .find_map(|value| self.find_one_step_away(target, value, &mut steps_left))
            .or_else(|| match target.breach.is_implied {
                true => None,
                false => {
                    self.find_in_negated_formats(target, &mut steps_left).or_else(|| self.find_by_random_steps(target))
                }
            })?;
        Some(self.finish_violation(target, value))
    }

    /// Finds a violation one mutation away from a value.
    fn find_one_step_away(&self, target: &ViolationTarget<'_>, value: &Value, steps_left: &mut usize) -> Option<Value> {
        let mut found = None;
        for_each_mutation(self.checker.format, self.breached_rule(target.breach), value, &mut |changed| {
            *steps_left = steps_left.saturating_sub(1 + changed.node_count() / 10);
            if *steps_left > 0 && changed.node_count() <= self.max_elements && self.is_violation(target, &changed) {
                found = Some(changed);
            }
            found.is_some() || *steps_left == 0 || (self.stop)()
        });
        found
    }

    /// Finds a violation among the inputs of the negated formats, or one mutation away from them.
    fn find_in_negated_formats(&self, target: &ViolationTarget<'_>, steps_left: &mut usize) -> Option<Value> {
        let rule = self.breached_rule(target.breach);
        let negated = negated_formats(self.checker.format, target.breach, &target.dropped);
        let fit = negated.into_iter().filter(|format| !self.is_too_large(format, rule));
        let fit = fit.filter(|format| min_input_elements(format) <= MAX_SMALL_ELEMENTS || !self.large_failed.get());
        fit.flat_map(|format| size_tiers(format, rule))
            .find_map(|format| self.find_in_format(target, &format, steps_left))
    }

    /// Finds a violation among the inputs of one format.
    fn find_in_format(&self, target: &ViolationTarget<'_>, format: &Format, steps_left: &mut usize) -> Option<Value> {
        let plan = GenerationPlan::new(format);
        let (mut large, mut failed) = (0, 0);
        for stream in 0..MAX_DRAWS_PER_FORMAT {
            if self.draws_left.get() == 0 || (self.stop)() {
                return None;
            }
            let mut choices = Choices::from_seed(self.seed, stream);
            let max_wasted_draws =
                if target.dropped.is_empty() { MAX_BREACH_DRAWS } else { MAX_DRAWS_WITH_OTHERS } / 20;
            let settings = match failed {
                0 => GenerationSettings { max_wasted_draws, ..seed_settings(stream * 7) },
                // Small inputs failed: the violation may need large values or many cases.
                _ => GenerationSettings {
                    max_wasted_draws,
                    max_elements: self.max_elements,
                    ..GenerationSettings::default()
                },
            };
            let generated = generate_value(&plan, &mut choices, &settings);
            self.draws_left.set(self.draws_left.get().saturating_sub(choices.draw_count()));
            let Ok(generated) = generated else {
                failed += 1;
                if failed < MAX_FAILED_INPUTS {
                    continue;
                }
                self.large_failed.set(self.large_failed.get() || min_input_elements(format) > MAX_SMALL_ELEMENTS);
                return None;
            };
            let value = generated.value;
            if self.is_violation(target, &value) {
                return Some(value);
            }
            if value.node_count() <= MAX_SHRUNK_NODES {
                if let Some(near) = self.find_one_step_away(target, &value, steps_left) {
                    return Some(near);
                }
            } else {
                large += 1;
                if large > MAX_LARGE_INPUTS {
                    return None;
                }
            }
        }
        None
    }

    /// Returns true if all inputs of a negated format are too large.
    fn is_too_large(&self, format: &Format, rule: &ConstraintRule) -> bool {
        let max = i128::try_from(self.max_elements).unwrap_or(i128::MAX);
        let sum_beyond = rule.expressions().iter().any(|e| matches!(e, Expr::Constant(n) if *n > max))
            && rule.expressions().iter().any(|e| grows_with_elements(format, e));
        sum_beyond || min_input_elements(format) > max
    }

    /// Finds a violation up to three random mutations away from a value of the pool.
    fn find_by_random_steps(&self, target: &ViolationTarget<'_>) -> Option<Value> {
        let mut choices = Choices::from_seed(self.seed, u64::MAX - target.breach.constraint as u64);
        (0..MAX_RANDOM_MUTATIONS).find_map(|_| {
            let value = choices.pick_item(&self.seed_pool.seeds)?.clone();
            if value.node_count() > MAX_SHRUNK_NODES {
                return None;
            }
            let times = 1 + choices.draw_index(3);
            let changed = (0..times).try_fold(value, |value, _| {
                random_mutation(self.checker.format, self.breached_rule(target.breach), &value, &mut choices)
            })?;
            self.is_violation(target, &changed).then_some(changed)
        })
    }

    /// Finds a violation that violates as few other constraints as possible: those of one other line, or of a minimal
    /// set of lines.
    fn find_with_others(&self, breach: &ConstraintBreach) -> Option<FoundViolation> {
        let lines = self.other_lines(breach);
        let alone = lines.iter().find_map(|line| self.find_without_constraints(breach, line.clone()));
        alone.or_else(|| {
            // Nearly every draw fails without bounds, so try to keep them first.
            let more_than_bounds = lines.iter().filter(|line| !self.only_bounds_numbers(line)).cloned().collect();
            let first = |dropped: &Vec<Vec<usize>>| {
                Some((dropped.clone(), self.find_without_constraints(breach, dropped.concat())?))
            };
            let (mut dropped, mut found) = [more_than_bounds, lines.clone()].iter().find_map(first)?;
            for line in &dropped.clone() {
                let fewer: Vec<Vec<usize>> = dropped.iter().filter(|other| *other != line).cloned().collect();
                if let Some(better) = self.find_without_constraints(breach, fewer.concat()) {
                    (dropped, found) = (fewer, better);
                }
            }
            Some(found)
        })
    }

    /// Returns true if a line only bounds numbers by constants.
    fn only_bounds_numbers(&self, line: &[usize]) -> bool {
        let has_constant = |comparison: &Comparison| comparison.all_operands().any(|e| matches!(e, Expr::Constant(_)));
        line.iter().all(|i| self.checker.format.constraints[*i].rule.comparison().is_some_and(has_constant))
    }

    /// Finds a violation that may violate the `dropped` constraints as well.
    fn find_without_constraints(&self, breach: &ConstraintBreach, dropped: Vec<usize>) -> Option<FoundViolation> {
        self.reset_budget(MAX_DRAWS_WITH_OTHERS);
        let mut target = self.violation_target(breach, None);
        target.may_break.extend(&dropped);
        target.dropped = dropped;
        let value = self.find_in_negated_formats(&target, &mut { MAX_JUDGED_VALUES / 10 })?;
        Some(self.finish_violation(&target, value))
    }

    /// Returns the other constraints grouped by line. Lines about the same fields come first.
    fn other_lines(&self, breach: &ConstraintBreach) -> Vec<Vec<usize>> {
        let format = self.checker.format;
        let rule = self.breached_rule(breach);
        let mut lines: Vec<Vec<usize>> = Vec::new();
        for other in (0..format.constraints.len()).filter(|i| *i != breach.constraint) {
            let span = format.constraints[other].span;
            match lines.iter_mut().find(|line| format.constraints[line[0]].span == span) {
                Some(line) => line.push(other),
                None => lines.push(vec![other]),
            }
        }
        let shares = |line: &Vec<usize>| {
            let fields = format.field_ids().filter(|f| rule.involves_field(*f));
            fields.into_iter().any(|f| line.iter().any(|i| format.constraints[*i].rule.involves_field(f)))
        };
        lines.sort_by_key(|line| !shares(line));
        lines
    }

    fn finish_violation(&self, target: &ViolationTarget<'_>, value: Value) -> FoundViolation {
        let value = self.shrink_violation(target, value);
        let also_broken =
            self.checker.broken_constraints(&value).into_iter().filter(|i| *i != target.breach.constraint).collect();
        FoundViolation { value, also_broken }
    }

    fn shrink_violation(&self, target: &ViolationTarget<'_>, value: Value) -> Value {
        if value.node_count() > MAX_SHRUNK_NODES {
            return value;
        }
        let format = self.checker.format;
        let kept =
            (0..format.constraints.len()).filter(|i| *i != target.breach.constraint && !target.may_break.contains(i));
        let Some(mut open) = format.with_constraints(kept.map(|i| format.constraints[i].clone()).collect()) else {
            return value;
        };
        // Fields that the violated constraint does not mention keep their ranges, so that they become as simple as in
        // valid inputs.
        for (i, field) in open
            .fields
            .iter_mut()
            .enumerate()
            .filter(|(i, _)| !self.breached_rule(target.breach).involves_field(FieldId(*i)))
        {
            field.range = format.fields[i].range;
        }
        let mut oracle = ViolationOracle { search: self, target, candidates_left: Cell::new(MAX_SHRINK_CANDIDATES) };
        let start = Measure::of_value(&open, &value);
        let shrunk = shrink_value(&GenerationPlan::new(&open), value.clone(), &mut oracle).value;
        if Measure::of_value(&open, &shrunk) < start { shrunk } else { value }
    }

    fn to_invalid_input(&self, breach: &ConstraintBreach, violated: FoundViolation) -> InvalidInput {
        let format = self.checker.format;
        let text = |constraint: usize| format!("`{}`", format.source_text(format.constraints[constraint].span));
        let others: Vec<&usize> =
            violated.also_broken.iter().filter(|i| format.constraints[**i].span != breach.must_break.span).collect();
        let note = (!others.is_empty()).then(|| {
            let mut others: Vec<String> = others.iter().map(|i| text(**i)).collect();
            others.dedup();
            format!("cannot be violated alone: implied by {}", others.join(", "))
        });
        let sides =
            violation_of_constraint(format, &violated.value, breach.constraint).map_or(String::new(), |v| v.sides);
        InvalidInput {
            name: breach.name.clone(),
            description: format!("{} does not hold: {sides}", text(breach.constraint)),
            broken_rule: BrokenRule::Constraint { constraint: breach.constraint, also_broken: violated.also_broken },
            note,
            bytes: print_value(format, &violated.value),
        }
    }

    /// Writes just the number that violates a bound, without the elements that it announces: they would be too many,
    /// or a negative number.
    fn breach_by_number_alone(&self, breach: &ConstraintBreach) -> Option<InvalidInput> {
        let format = self.checker.format;
        let rule = self.breached_rule(breach);
        let others: Vec<usize> = (0..format.constraints.len()).collect();
        let negated = negated_formats(format, breach, &[]).into_iter().chain(negated_formats(format, breach, &others));
        let negated: Vec<Format> = negated.collect();
        let fields = format.field_ids().filter(|f| rule.involves_field(*f));
        let number_out_of_range = |field: FieldId| {
            let allowed = format.field(field).range;
            let ranges = negated.iter().map(|negated_format| negated_format.field(field).range);
            let disjoint =
                ranges.filter(|range| range.intersect(allowed).is_empty()).find(|range| !range.is_empty())?;
            format.field(field).is_scalar().then(|| (field, disjoint.clamp_value(allowed.lo)))
        };
        let (field, number) = fields.into_iter().find_map(number_out_of_range)?;
        let bytes = token_mutations::replace_first_number(
            format,
            self.seed_pool,
            field,
            &format.field(field).format_number(number),
        )?;
        Some(InvalidInput {
            name: breach.name.clone(),
            description: format!(
                "`{}` does not hold: {} = {number}",
                format.source_text(breach.must_break.span),
                format.field(field).name
            ),
            broken_rule: BrokenRule::AnnouncedSize(breach.constraint),
            note: Some(
                "the announced elements are left out: no input has them, or only one that is too large".to_owned(),
            ),
            bytes,
        })
    }
}

/// Returns true if an expression grows with the number of elements: a length, or a sum of numbers that count
/// something.
fn grows_with_elements(format: &Format, expr: &Expr) -> bool {
    expr.any_part(&|part| match part {
        Expr::Length(_) => Some(true),
        Expr::Fold(FoldKind::Sum, _, inner) => counts_elements(format, inner).then_some(true),
        Expr::Binary(..) => None,
        _ => Some(false),
    })
}

/// Returns true if a number counts something.
fn counts_elements(format: &Format, expr: &Expr) -> bool {
    let plan = GenerationPlan::new(format);
    format.field_ids().any(|f| expr.mentions_field(f) && plan.is_size(f))
}

/// Predicate for shrinking: whether a smaller value is a violation of the same kind.
struct ViolationOracle<'s, 'w, 'f> {
    search: &'s BreachSearch<'w, 'f>,
    target: &'s ViolationTarget<'s>,
    candidates_left: Cell<usize>,
}

impl Oracle<Value> for ViolationOracle<'_, '_, '_> {
    fn first_failing(&mut self, candidates: &[Value]) -> Result<Option<usize>, ShrinkStopped> {
        Ok(candidates.iter().position(|candidate| self.search.is_violation(self.target, candidate)))
    }

    /// Called before each candidate, whether it turns out valid or not.
    fn should_stop(&self) -> bool {
        self.candidates_left.set(self.candidates_left.get().saturating_sub(1));
        self.candidates_left.get() == 0 || (self.search.stop)()
    }
}
