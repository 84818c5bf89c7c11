//! The search for an input that breaks one constraint and nothing else.

use super::breach::Breach;
use super::judge::Judge;
use super::opposite::{always_holds, opposites, tiers};
use super::pool::{Pool, settings};
use super::steps::{each_step, random_step, speaks_of};
use super::{Breaks, Invalid, Invalids, Unbroken, spelling};
use crate::format::{Constraint, Expr, FieldId, Fold, Format, Rule};
use crate::generate::{Plan, Settings, generate, smallest_size};
use crate::print::print;
use crate::shrink::{Oracle, Stopped, shrink};
use crate::validate::violation_of;
use crate::value::Measure;
use crate::value::Value;
use rebut_generators::Choices;
use std::cell::Cell;

/// So many changed values are judged for one breach, weighed by their sizes.
const MOST_JUDGED: usize = 20_000;

/// So many random changes are tried where the targeted ones fail.
const MOST_RANDOM: usize = 500;

/// So many inputs of each opposite format are drawn.
const DRAWN: u64 = 8;

/// Values of more elements are not changed or made smaller: each step would cost as much as they are large.
const MOST_SHRUNK: usize = 300;

/// An input of more elements is large.
const SMALL: i128 = 300;

/// After so many failures to draw an input of an opposite format there is taken to be none.
const MOST_FAILED: usize = 2;

/// About so many draws are made for one breach.
const PATIENCE: u64 = 400_000;

/// About so many are made for it in vain if it is to break certain others with it.
const PATIENCE_WITH_OTHERS: u64 = 60_000;

/// So many large inputs of an opposite format are drawn in vain.
const MOST_LARGE: usize = 2;

/// So many candidates shrinking may look at.
const MOST_CANDIDATES: usize = 4_000;

/// What a search works with.
pub(super) struct Work<'w, 'f> {
    pub(super) judge: &'w Judge<'f>,
    pub(super) pool: &'w Pool,
    pub(super) seed: u64,
    pub(super) most_elements: usize,
    /// Whether somebody wants it to end.
    pub(super) stop: &'w dyn Fn() -> bool,
    /// Whether large inputs for the present breach were sought in vain: once is enough, it takes seconds.
    pub(super) large_failed: Cell<bool>,
    /// So many draws are left for the present breach.
    pub(super) patience: Cell<u64>,
}

/// A violation that was found.
struct Violated {
    value: Value,
    also: Vec<usize>,
}

/// A breach with what it takes to recognise it.
#[derive(Clone)]
struct Sought<'b> {
    breach: &'b Breach,
    /// The format that says only what must be broken; none if that is the constraint itself.
    broken: Option<Format>,
    /// The format that says only what must hold besides.
    held: Option<Format>,
    /// Whether each number keeps the range that all constraints together leave it.
    in_range: bool,
    /// What may be broken besides.
    also: Vec<usize>,
    /// What is not even tried to be kept.
    dropped: Vec<usize>,
}

impl Work<'_, '_> {
    /// Finds an input for a breach, or says why there is none.
    pub(super) fn break_constraint(&self, breach: &Breach, found: &mut Invalids) {
        self.begin(PATIENCE);
        let holding = || breach.may_hold.iter().map(Some).chain([None]);
        let violated = holding().find_map(|held| self.in_range(&self.sought(breach, held)));
        let violated = violated.or_else(|| holding().find_map(|held| self.alone(&self.sought(breach, held))));
        let violated = violated.or_else(|| if breach.is_implicit { None } else { self.with_others(breach) });
        if let Some(violated) = violated {
            found.inputs.push(self.invalid(breach, violated));
        } else if let Some(invalid) = self.announced(breach) {
            found.inputs.push(invalid);
        } else {
            found.unbroken.push(Unbroken { name: breach.name.clone(), reason: self.reason(breach) });
        }
    }

    /// Forgets what was sought in vain.
    fn begin(&self, patience: u64) {
        self.large_failed.set(false);
        self.patience.set(patience);
    }

    /// Why a constraint is not broken.
    fn reason(&self, breach: &Breach) -> String {
        let format = self.judge.format;
        let text = format.text(breach.must_break.span);
        let mut opposites = opposites(format, breach, &[]).into_iter();
        if breach.is_implicit {
            format!("what `{text}` says of it follows from the other constraints")
        } else if always_holds(format, breach) {
            format!("nothing breaks `{text}` in this way, whatever the numbers are")
        } else if opposites.any(|opposite| self.is_too_large(&opposite, self.rule(breach))) {
            format!("an input that breaks `{text}` would have more than {} elements", self.most_elements)
        } else {
            format!("no input was found that breaks `{text}` in this way")
        }
    }

    fn sought<'b>(&self, breach: &'b Breach, held: Option<&Constraint>) -> Sought<'b> {
        let whole = &self.judge.format.constraints[breach.constraint].rule;
        let broken = (breach.must_break.rule != *whole).then(|| self.judge.alone(&breach.must_break));
        Sought {
            breach,
            broken,
            held: held.map(|held| self.judge.alone(held)),
            in_range: false,
            also: self.siblings(breach),
            dropped: Vec::new(),
        }
    }

    /// What one line of the format says besides: it may break with what the line is about.
    fn siblings(&self, breach: &Breach) -> Vec<usize> {
        let constraints = &self.judge.format.constraints;
        let is_graph = |c: &Constraint| matches!(c.rule, Rule::Graph(_)) && c.span == breach.must_break.span;
        if !constraints.iter().any(is_graph) {
            return Vec::new();
        }
        let same = |i: &usize| *i != breach.constraint && constraints[*i].span == breach.must_break.span;
        (0..constraints.len()).filter(same).collect()
    }

    /// Whether a value is a violation of the constraint, in the way that is meant, and of no other but those allowed.
    fn is_violation(&self, sought: &Sought<'_>, value: &Value) -> bool {
        let breaks = |format: &Format| violation_of(format, value, 0).is_some();
        violation_of(self.judge.format, value, sought.breach.constraint).is_some()
            && sought.broken.as_ref().is_none_or(breaks)
            && sought.held.as_ref().is_none_or(|held| !breaks(held))
            && self.judge.breaks_only(value, &[&[sought.breach.constraint], &*sought.also].concat())
            && if sought.in_range { self.judge.has_form_and_ranges(value) } else { self.judge.has_form(value) }
    }

    fn rule(&self, breach: &Breach) -> &Rule {
        &self.judge.format.constraints[breach.constraint].rule
    }

    /// A violation near a valid input in which no number leaves its range: `k <= n` is better broken by 2 and 1 than by
    /// 0 and -1.
    fn in_range(&self, sought: &Sought<'_>) -> Option<Violated> {
        let sought = Sought { in_range: true, ..sought.clone() };
        let mut left = MOST_JUDGED / 4;
        let value = self.pool.values.iter().find_map(|value| self.near(&sought, value, &mut left))?;
        Some(self.violated(&sought, value))
    }

    fn alone(&self, sought: &Sought<'_>) -> Option<Violated> {
        let mut left = MOST_JUDGED;
        let value = self
            .pool
            .values
            .iter()
            .find_map(|value| self.near(sought, value, &mut left))
            .or_else(|| if sought.breach.is_implicit { None } else { self.opposite(sought, &mut left) })
            .or_else(|| if sought.breach.is_implicit { None } else { self.at_random(sought) })?;
        Some(self.violated(sought, value))
    }

    /// A violation that is one change away from a value.
    fn near(&self, sought: &Sought<'_>, value: &Value, left: &mut usize) -> Option<Value> {
        let mut found = None;
        each_step(self.judge.format, self.rule(sought.breach), value, &mut |changed| {
            *left = left.saturating_sub(1 + changed.nodes() / 10);
            if *left > 0 && changed.nodes() <= self.most_elements && self.is_violation(sought, &changed) {
                found = Some(changed);
            }
            found.is_some() || *left == 0 || (self.stop)()
        });
        found
    }

    /// A violation among the inputs of the opposite formats, or one change away from them.
    fn opposite(&self, sought: &Sought<'_>, left: &mut usize) -> Option<Value> {
        let rule = self.rule(sought.breach);
        let opposites = opposites(self.judge.format, sought.breach, &sought.dropped);
        let fit = opposites.into_iter().filter(|format| !self.is_too_large(format, rule));
        let fit = fit.filter(|format| smallest_size(format) <= SMALL || !self.large_failed.get());
        fit.flat_map(|format| tiers(format, rule)).find_map(|format| self.drawn(sought, &format, left))
    }

    /// A violation among the inputs of one format.
    fn drawn(&self, sought: &Sought<'_>, format: &Format, left: &mut usize) -> Option<Value> {
        let plan = Plan::new(format);
        let (mut large, mut failed) = (0, 0);
        for stream in 0..DRAWN {
            if self.patience.get() == 0 || (self.stop)() {
                return None;
            }
            let mut choices = Choices::fresh(self.seed, stream);
            let patience = if sought.dropped.is_empty() { PATIENCE } else { PATIENCE_WITH_OTHERS } / 20;
            let settings = match failed {
                0 => Settings { patience, ..settings(stream * 7) },
                // What has to be large, or to have many cases, is not found among small inputs.
                _ => Settings { patience, most_elements: self.most_elements, ..Settings::default() },
            };
            let made = generate(&plan, &mut choices, &settings);
            self.patience.set(self.patience.get().saturating_sub(choices.count()));
            let Ok(made) = made else {
                failed += 1;
                if failed < MOST_FAILED {
                    continue;
                }
                self.large_failed.set(self.large_failed.get() || smallest_size(format) > SMALL);
                return None;
            };
            let value = made.value;
            if self.is_violation(sought, &value) {
                return Some(value);
            }
            if value.nodes() <= MOST_SHRUNK {
                if let Some(near) = self.near(sought, &value, left) {
                    return Some(near);
                }
            } else {
                large += 1;
                if large > MOST_LARGE {
                    return None;
                }
            }
        }
        None
    }

    /// Whether all inputs of an opposite format are larger than wanted.
    fn is_too_large(&self, format: &Format, rule: &Rule) -> bool {
        let most = i128::try_from(self.most_elements).unwrap_or(i128::MAX);
        let sum_beyond = rule.exprs().iter().any(|e| matches!(e, Expr::Constant(n) if *n > most))
            && rule.exprs().iter().any(|e| adds_up_elements(format, e));
        sum_beyond || smallest_size(format) > most
    }

    /// Two random changes after each other, from any value of the pool.
    fn at_random(&self, sought: &Sought<'_>) -> Option<Value> {
        let mut choices = Choices::fresh(self.seed, u64::MAX - sought.breach.constraint as u64);
        (0..MOST_RANDOM).find_map(|_| {
            let value = choices.pick(&self.pool.values)?.clone();
            if value.nodes() > MOST_SHRUNK {
                return None;
            }
            let times = 1 + choices.index(3);
            let changed = (0..times).try_fold(value, |value, _| {
                random_step(self.judge.format, self.rule(sought.breach), &value, &mut choices)
            })?;
            self.is_violation(sought, &changed).then_some(changed)
        })
    }

    /// A violation that breaks as few other constraints as possible: those of one other line, or else of as few lines
    /// as leave any.
    fn with_others(&self, breach: &Breach) -> Option<Violated> {
        let lines = self.other_lines(breach);
        let alone = lines.iter().find_map(|line| self.without(breach, line.clone()));
        alone.or_else(|| {
            // Without bounds hardly anything can be drawn: they go last.
            let more_than_bounds = lines.iter().filter(|line| !self.is_bound(line)).cloned().collect();
            let first = |dropped: &Vec<Vec<usize>>| Some((dropped.clone(), self.without(breach, dropped.concat())?));
            let (mut dropped, mut found) = [more_than_bounds, lines.clone()].iter().find_map(first)?;
            for line in &dropped.clone() {
                let fewer: Vec<Vec<usize>> = dropped.iter().filter(|other| *other != line).cloned().collect();
                if let Some(better) = self.without(breach, fewer.concat()) {
                    (dropped, found) = (fewer, better);
                }
            }
            Some(found)
        })
    }

    /// Whether a line bounds numbers by constants, and says nothing else.
    fn is_bound(&self, line: &[usize]) -> bool {
        line.iter().all(|i| match &self.judge.format.constraints[*i].rule {
            Rule::Compare(comparison) => {
                comparison.left.iter().chain(&comparison.right).any(|e| matches!(e, Expr::Constant(_)))
            }
            _ => false,
        })
    }

    /// A violation that need not keep the `dropped` constraints.
    fn without(&self, breach: &Breach, dropped: Vec<usize>) -> Option<Violated> {
        self.begin(PATIENCE_WITH_OTHERS);
        let mut sought = self.sought(breach, None);
        sought.also.extend(&dropped);
        sought.dropped = dropped;
        let value = self.opposite(&sought, &mut { MOST_JUDGED / 10 })?;
        Some(self.violated(&sought, value))
    }

    /// The other constraints by the place that says them, those first that speak of the same fields.
    fn other_lines(&self, breach: &Breach) -> Vec<Vec<usize>> {
        let format = self.judge.format;
        let rule = self.rule(breach);
        let mut lines: Vec<Vec<usize>> = Vec::new();
        for other in (0..format.constraints.len()).filter(|i| *i != breach.constraint) {
            let span = format.constraints[other].span;
            match lines.iter_mut().find(|line| format.constraints[line[0]].span == span) {
                Some(line) => line.push(other),
                None => lines.push(vec![other]),
            }
        }
        let shares = |line: &Vec<usize>| {
            let fields = (0..format.fields.len()).map(FieldId).filter(|f| speaks_of(rule, *f));
            fields.into_iter().any(|f| line.iter().any(|i| speaks_of(&format.constraints[*i].rule, f)))
        };
        lines.sort_by_key(|line| !shares(line));
        lines
    }

    fn violated(&self, sought: &Sought<'_>, value: Value) -> Violated {
        let value = self.smallest(sought, value);
        let also = self.judge.broken(&value).into_iter().filter(|i| *i != sought.breach.constraint).collect();
        Violated { value, also }
    }

    /// The smallest violation that shrinking comes to.
    fn smallest(&self, sought: &Sought<'_>, value: Value) -> Value {
        if value.nodes() > MOST_SHRUNK {
            return value;
        }
        let format = self.judge.format;
        let kept = (0..format.constraints.len()).filter(|i| *i != sought.breach.constraint && !sought.also.contains(i));
        let Some(mut open) = format.with_constraints(kept.map(|i| format.constraints[i].clone()).collect()) else {
            return value;
        };
        // What the broken constraint does not speak of is as simple as in valid inputs.
        for (i, field) in
            open.fields.iter_mut().enumerate().filter(|(i, _)| !speaks_of(self.rule(sought.breach), FieldId(*i)))
        {
            field.range = format.fields[i].range;
        }
        let mut oracle = Asked { work: self, sought, left: Cell::new(MOST_CANDIDATES) };
        let start = Measure::of(&open, &value);
        let shrunk = shrink(&Plan::new(&open), value.clone(), &mut oracle).value;
        if Measure::of(&open, &shrunk) < start { shrunk } else { value }
    }

    fn invalid(&self, breach: &Breach, violated: Violated) -> Invalid {
        let format = self.judge.format;
        let text = |constraint: usize| format!("`{}`", format.text(format.constraints[constraint].span));
        let others: Vec<&usize> =
            violated.also.iter().filter(|i| format.constraints[**i].span != breach.must_break.span).collect();
        let note = (!others.is_empty()).then(|| {
            let mut others: Vec<String> = others.iter().map(|i| text(**i)).collect();
            others.dedup();
            format!("cannot be broken alone: implied by {}", others.join(", "))
        });
        let sides = violation_of(format, &violated.value, breach.constraint).map_or(String::new(), |v| v.sides);
        Invalid {
            name: breach.name.clone(),
            what: format!("{} does not hold: {sides}", text(breach.constraint)),
            breaks: Breaks::Constraint { constraint: breach.constraint, also: violated.also },
            note,
            bytes: print(format, &violated.value),
        }
    }

    /// The number alone that breaks a bound, without what it announces: that would be too much, or less than nothing.
    fn announced(&self, breach: &Breach) -> Option<Invalid> {
        let format = self.judge.format;
        let rule = self.rule(breach);
        let others: Vec<usize> = (0..format.constraints.len()).collect();
        let opposites = opposites(format, breach, &[]).into_iter().chain(opposites(format, breach, &others));
        let opposites: Vec<Format> = opposites.collect();
        let fields = (0..format.fields.len()).map(FieldId).filter(|f| speaks_of(rule, *f));
        let beyond = |field: FieldId| {
            let allowed = format.field(field).range;
            let ranges = opposites.iter().map(|opposite| opposite.field(field).range);
            let apart = ranges.filter(|range| range.intersect(allowed).is_empty()).find(|range| !range.is_empty())?;
            format.field(field).is_scalar().then(|| (field, apart.nearest(allowed.lo)))
        };
        let (field, number) = fields.into_iter().find_map(beyond)?;
        let bytes = spelling::respelt(self.judge, self.pool, field, &format.field(field).number_text(number))?;
        Some(Invalid {
            name: breach.name.clone(),
            what: format!(
                "`{}` does not hold: {} = {number}",
                format.text(breach.must_break.span),
                format.field(field).name
            ),
            breaks: Breaks::Announced(breach.constraint),
            note: Some("no input has what the number announces, or only one that is too large".to_owned()),
            bytes,
        })
    }
}

/// Whether an expression grows with the number of elements: a length, or a sum of numbers that count something.
fn adds_up_elements(format: &Format, expr: &Expr) -> bool {
    match expr {
        Expr::Length(_) => true,
        Expr::Fold(Fold::Sum, _, inner) => adds_up_elements(format, inner) || sizes(format, inner),
        Expr::Binary(_, left, right) => adds_up_elements(format, left) || adds_up_elements(format, right),
        _ => false,
    }
}

/// Whether a number counts something.
fn sizes(format: &Format, expr: &Expr) -> bool {
    let plan = Plan::new(format);
    (0..format.fields.len()).map(FieldId).any(|f| expr.mentions(f) && plan.is_size(f))
}

/// What shrinking asks: whether a smaller value is a violation of the same kind.
struct Asked<'s, 'w, 'f> {
    work: &'s Work<'w, 'f>,
    sought: &'s Sought<'s>,
    left: Cell<usize>,
}

impl Oracle<Value> for Asked<'_, '_, '_> {
    fn first_failing(&mut self, candidates: &[Value]) -> Result<Option<usize>, Stopped> {
        Ok(candidates.iter().position(|candidate| self.work.is_violation(self.sought, candidate)))
    }

    /// It is asked before each candidate, whether that turns out to be valid or not.
    fn is_over(&self) -> bool {
        self.left.set(self.left.get().saturating_sub(1));
        self.left.get() == 0 || (self.work.stop)()
    }
}
