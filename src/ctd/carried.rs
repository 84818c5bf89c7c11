//! Variables that are carried from one repetition to the next: counters, sums, extremes, and what came before.
//!
//! A loop is run once. At its start such a variable has the value `Carry`; from what it has become at the end,
//! in terms of that, it is told what it is: plus one is a counter, plus a field is a sum, a field is the one before.

use super::draft::Rule;
use super::environment::inside;
use super::items::Loop;
use super::structure::writes;
use super::term::{Claim, FieldId, LoopId, Term, mirrored};
use super::translate::Translator;
use std::collections::{BTreeMap, BTreeSet};

const OVERWRITTEN: &str = "a variable that is given new values on the way has no counterpart";

impl Translator<'_> {
    /// Starts a loop; gives the variables that it changes, with their values so far.
    pub(super) fn enter(&mut self, id: LoopId, inner: &Loop) -> BTreeMap<String, Term> {
        let names: BTreeSet<&str> = inner.body.iter().flat_map(writes).collect();
        let mut before = BTreeMap::new();
        for name in names {
            if let Some(value) = self.environment.plain(name).cloned() {
                self.starts.insert((id, name.to_owned()), value.clone());
                before.insert(name.to_owned(), value);
                let carried = Term::Carry(id, name.to_owned());
                self.environment.set(name, Vec::new(), carried, &self.open);
            }
        }
        before
    }

    /// What a carried variable was before the loop.
    pub(super) fn start_of(&self, over: LoopId, name: &str) -> Term {
        self.starts.get(&(over, name.to_owned())).cloned().unwrap_or(Term::Unknown(OVERWRITTEN))
    }

    /// Ends a loop: the rules that speak of carried variables are told again without them.
    pub(super) fn leave(&mut self, id: LoopId, before: &BTreeMap<String, Term>, first_rule: usize) {
        let mut rules = self.draft.rules.split_off(first_rule);
        let mut after: Vec<(String, Term)> = Vec::new();
        for (name, start) in before {
            let end = self.environment.plain(name).cloned().unwrap_or(Term::Unknown(OVERWRITTEN));
            let total = self.total(id, name, start, &end);
            rules = rules.into_iter().flat_map(|rule| self.retold(rule, id, name, start, &end, &total)).collect();
            after.push((name.clone(), total));
        }
        for rule in &mut rules {
            if let Claim::Fresh(value, array) = &rule.claim
                && self.environment.holds_each(array, value, id)
            {
                rule.claim = Claim::Distinct(id, vec![value.clone()]);
                rule.loops.retain(|l| *l != id);
            }
        }
        self.draft.rules.extend(rules);
        self.environment.leave(id, &self.draft);
        for (name, value) in after {
            self.environment.set(&name, Vec::new(), value, &self.open);
        }
    }

    /// The value after the loop.
    fn total(&self, id: LoopId, name: &str, start: &Term, end: &Term) -> Term {
        let carried = Term::Carry(id, name.to_owned());
        let count = self.draft.times(id).cloned().unwrap_or(Term::Repetitions(id));
        if let Some(step) = end.minus(&carried) {
            let steps = if step == 1 { count } else { Term::binary('*', Term::Number(step), count) };
            return if step == 0 { start.clone() } else { added(start, steps) };
        }
        if let Some(more) = more_than(end, &carried) {
            let total = if inside(&more, id, &self.draft) {
                Term::Fold("sum", id, Box::new(more))
            } else {
                Term::binary('*', count, more)
            };
            return added(start, total);
        }
        if let Term::Choice(claim, left, right) = end
            && let Some(found) = self.chosen(id, &carried, start, claim, left, right)
        {
            return found;
        }
        if let Some((field, more)) = self.last_of(end, id) {
            return Term::Element(field, vec![count]).plus(more);
        }
        match end {
            other if !inside(other, id, &self.draft) && !other.any(&|t| matches!(t, Term::Carry(..))) => other.clone(),
            _ => Term::Unknown(OVERWRITTEN),
        }
    }

    /// A field of the loop, and what is added to it: what a variable is that remembers the last one.
    fn last_of(&self, end: &Term, id: LoopId) -> Option<(FieldId, i128)> {
        let mut field = None;
        end.visit(&mut |part| {
            if let Term::Field(found) = part {
                field.get_or_insert(*found);
            }
        });
        let field = field.filter(|f| self.draft.field(*f).loops.last() == Some(&id))?;
        end.minus(&Term::Field(field)).map(|more| (field, more))
    }

    /// A variable that changes under a condition: the extreme of a field, or how often it has a value.
    fn chosen(
        &self,
        id: LoopId,
        carried: &Term,
        start: &Term,
        claim: &Claim,
        left: &Term,
        right: &Term,
    ) -> Option<Term> {
        let Claim::Compare(sign, first, second) = claim else { return None };
        if right != carried {
            return None;
        }
        if left.minus(carried) == Some(1) {
            let (field, value) = match (first, second) {
                (Term::Field(field), value) | (value, Term::Field(field)) => (*field, value),
                _ => return None,
            };
            let own = self.draft.field(field).loops.last() == Some(&id) && !inside(value, id, &self.draft);
            let counts = *sign == "=" && own && value.number().is_some();
            return counts.then(|| added(start, Term::Count(id, field, Box::new(value.clone()))));
        }
        let sign = match (first == left && second == carried, first == carried && second == left) {
            (true, _) => sign,
            (_, true) => mirrored(sign),
            _ => return None,
        };
        let (start, value) = (self.draft.hull(start), self.draft.hull(left));
        match sign {
            ">" | ">=" if start.1? <= value.0? => Some(Term::Fold("max", id, Box::new(left.clone()))),
            "<" | "<=" if start.0? >= value.1? => Some(Term::Fold("min", id, Box::new(left.clone()))),
            _ => None,
        }
    }

    /// A rule without the carried variable, or as many rules as it takes.
    fn retold(&self, rule: Rule, id: LoopId, name: &str, start: &Term, end: &Term, total: &Term) -> Vec<Rule> {
        let carried = Term::Carry(id, name.to_owned());
        let is_carried = |term: &Term| *term == carried;
        let mentions = rule.claim.any(&is_carried) || rule.conditions.iter().any(|(_, c)| c.any(&is_carried));
        if !mentions {
            return vec![rule];
        }
        if let Some(step) = end.minus(&carried) {
            let steps =
                if step == 1 { Term::Index(id) } else { Term::binary('*', Term::Number(step), Term::Index(id)) };
            let value = if step == 0 { start.clone() } else { added(start, steps) };
            return vec![with_value(rule, &carried, &value)];
        }
        if let Some(last) = self.last_of(end, id) {
            return self.compared_with_last(rule, id, &carried, start, last);
        }
        if let Some(rule) = self.running_total(&rule, id, &carried, end, total) {
            return vec![rule];
        }
        vec![with_value(rule, &carried, &Term::Unknown(OVERWRITTEN))]
    }

    /// A sum that may never be too large is not too large at the end, if nothing in it is negative.
    fn running_total(&self, rule: &Rule, id: LoopId, carried: &Term, end: &Term, total: &Term) -> Option<Rule> {
        let Claim::Compare(sign, left, right) = &rule.claim else { return None };
        let (sign, sum, limit) = if left == end { (*sign, left, right) } else { (mirrored(sign), right, left) };
        let more = more_than(sum, carried)?;
        let grows = self.draft.hull(&more).0.is_some_and(|least| least >= 0);
        let outer = !inside(limit, id, &self.draft) && !limit.any(&|t| matches!(t, Term::Carry(..)));
        if sum != end || !matches!(sign, "<" | "<=") || !grows || !outer || total.unknown().is_some() {
            return None;
        }
        let mut rule = rule.clone();
        rule.claim = Claim::Compare(sign, total.clone(), limit.clone());
        rule.loops.retain(|l| *l != id);
        Some(rule)
    }

    /// A comparison with what came one repetition before: an order, or a rule about neighbours.
    fn compared_with_last(
        &self,
        mut rule: Rule,
        id: LoopId,
        carried: &Term,
        start: &Term,
        (last, more): (FieldId, i128),
    ) -> Vec<Rule> {
        let skipping = rule.conditions.iter().any(|(_, claim)| claim.skips_first(id));
        rule.conditions.retain(|(_, claim)| !claim.skips_first(id));
        let mut found = Vec::new();
        let first = with_value(rule.clone(), carried, start);
        let order = order(&rule.claim, carried, last, more).filter(|_| {
            rule.loops.last() == Some(&id) && rule.conditions.iter().all(|(_, c)| !c.any(&|t| t == carried))
        });
        if !skipping && !self.is_certain(&first.claim) {
            if order.is_some() {
                // In order, what holds for the first holds for all.
                found.push(first);
            } else {
                let unknown = Claim::Unknown("what holds for the first alone");
                found.push(Rule { claim: unknown, ..first });
            }
        }
        if let Some(name) = order {
            rule.claim = Claim::Ordered(name, id, Term::Field(last));
            rule.loops.retain(|l| *l != id);
            found.push(rule);
            return found;
        }
        let own = |field: &FieldId| self.draft.field(*field).loops.last() == Some(&id);
        let place = |more: i128| vec![Term::Index(id).plus(more)];
        let shifted = |term: &Term| match term {
            Term::Carry(..) if term == carried => Some(Term::Element(last, place(0)).plus(more)),
            Term::Field(field) if own(field) => Some(Term::Element(*field, place(1))),
            _ => None,
        };
        rule.claim = rule.claim.replaced(&shifted);
        rule.conditions.iter_mut().for_each(|(_, claim)| *claim = claim.replaced(&shifted));
        rule.from = 2;
        found.push(rule);
        found
    }

    /// Whether bounds alone make it so.
    fn is_certain(&self, claim: &Claim) -> bool {
        let Claim::Compare(sign, left, right) = claim else { return false };
        let (left, right) = (self.draft.hull(left), self.draft.hull(right));
        let below =
            |a: Option<i128>, b: Option<i128>, equal: bool| a.zip(b).is_some_and(|(a, b)| a < b || equal && a == b);
        match *sign {
            "<" => below(left.1, right.0, false),
            "<=" => below(left.1, right.0, true),
            ">" => below(right.1, left.0, false),
            ">=" => below(right.1, left.0, true),
            "!=" => below(left.1, right.0, false) || below(right.1, left.0, false),
            _ => false,
        }
    }
}

/// How a field stands to the one before, if that is one of the orders that have a name.
fn order(claim: &Claim, carried: &Term, field: FieldId, more: i128) -> Option<&'static str> {
    let Claim::Compare(sign, left, right) = claim else { return None };
    let own = Term::Field(field);
    let (sign, apart) = match (left.minus(&own), right.minus(carried)) {
        (Some(own), Some(last)) => (*sign, last.checked_sub(own)?),
        _ => (mirrored(sign), left.minus(carried)?.checked_sub(right.minus(&own)?)?),
    };
    let apart = apart.checked_add(more)?;
    match (sign, apart) {
        (">", 0) | (">=", 1) => Some("increasing"),
        (">=", 0) | (">", -1) => Some("sorted"),
        ("<", 0) | ("<=", -1) => Some("decreasing"),
        ("<=", 0) | ("<", 1) => Some("nonincreasing"),
        _ => None,
    }
}

fn with_value(mut rule: Rule, carried: &Term, value: &Term) -> Rule {
    let replace = |term: &Term| (term == carried).then(|| value.clone());
    rule.claim = rule.claim.replaced(&replace);
    rule.conditions.iter_mut().for_each(|(_, claim)| *claim = claim.replaced(&replace));
    rule
}

fn added(start: &Term, more: Term) -> Term {
    match start.number() {
        Some(0) => more,
        Some(number) => more.plus(number),
        None => Term::binary('+', start.clone(), more),
    }
}

/// What is added to the carried value, if only something is added.
fn more_than(end: &Term, carried: &Term) -> Option<Term> {
    let mut terms = Vec::new();
    addends(end, &mut terms);
    let at = terms.iter().position(|t| t == carried)?;
    terms.remove(at);
    let rest = terms.into_iter().reduce(|a, b| Term::binary('+', a, b))?;
    (!rest.any(&|t| matches!(t, Term::Carry(..)))
        && rest.unknown().is_none()
        && !rest.any(&|t| matches!(t, Term::Choice(..))))
    .then_some(rest)
}

fn addends(term: &Term, found: &mut Vec<Term>) {
    match term {
        Term::Binary('+', left, right) => {
            addends(left, found);
            addends(right, found);
        }
        Term::Binary('-', left, right) => {
            addends(left, found);
            found.push(right.number().map_or_else(|| Term::Minus(right.clone()), |n| Term::Number(-n)));
        }
        other => found.push(other.clone()),
    }
}
