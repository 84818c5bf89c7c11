//! Loop-carried variables: counters, sums, extremes, and values of the previous repetition.
//!
//! A loop body is executed symbolically once. Each variable that it changes starts as `LoopCarried`, and its value at
//! the end, in terms of that, shows its kind: adding one makes a counter, adding a field a sum, and a plain field is
//! the value of the previous repetition.

use crate::draft::{Amount, DraftRule, FieldContent, LinePart, LoopKind, PartKind};
use crate::environment::{Evaluator as _, OVERWRITTEN_REASON, depends_on_loop};
use crate::letters::{contains_letter, letters_of_range};
use crate::simplify::order_of_neighbours;
use crate::steps::{LoopHeader, ScriptLoop, Step, StepKind, all_steps, assigned_variables};
use crate::term::{FieldId, LoopId, Term, Variable};
use crate::translate::ScriptTranslator;
use rebut_diagnostics::Span;
use rebut_format::language::ComparisonOperator::{Equal, Greater, Less, LessEqual};
use rebut_format::language::{Interval, can_hold};
use std::collections::BTreeSet;

/// A variable that a loop changes.
struct CarriedVariable<'t> {
    over: LoopId,
    /// Its value before the current repetition.
    before: Term,
    /// Its value before the loop.
    start: &'t Term,
    /// Its value after the current repetition.
    end: Term,
}

impl CarriedVariable<'_> {
    /// Returns its value after a number of repetitions, if each of them adds the same number.
    fn value_after(&self, repetitions: Term) -> Option<Term> {
        let step = self.end.constant_difference(&self.before)?;
        let steps = if step == 1 { repetitions } else { Term::new_binary("*", Term::Number(step), repetitions) };
        Some(if step == 0 { self.start.clone() } else { add_terms(self.start, steps) })
    }
}

impl ScriptTranslator {
    /// Begins a loop: remembers the values of the variables that it changes.
    pub(crate) fn begin_loop(&mut self, id: LoopId, inner: &ScriptLoop) {
        let names: BTreeSet<&str> = assigned_variables(&inner.body).into_iter().collect();
        // If a loop changes the order of an array, that is unknown from the second repetition on.
        let sorted = all_steps(&inner.body).into_iter().filter_map(|step| match &step.kind {
            StepKind::SortArray { name, .. } => Some(self.environment.parts_of(name)),
            _ => None,
        });
        let mut sorted = sorted.collect::<Vec<_>>().concat();
        sorted.retain(|part| self.environment.scalar_value(part).is_none());
        sorted.iter().for_each(|part| self.forget_variable(part));
        for name in names {
            if let Some(value) = self.environment.scalar_value(name).cloned() {
                self.initial_values.insert((id, name.to_owned()), value);
                let carried = Term::LoopCarried(id, name.to_owned());
                self.environment.assign_value(name, Vec::new(), carried, &self.open_loops);
            }
        }
    }

    /// Ends a loop: eliminates loop-carried variables from the rules added inside it.
    pub(crate) fn finish_loop(&mut self, id: LoopId, first_rule: usize) {
        let mut rules = self.draft.rules.split_off(first_rule);
        let mut after: Vec<(String, Term)> = Vec::new();
        for ((_, name), start) in self.initial_values.iter().filter(|((over, _), _)| *over == id) {
            let end = self.environment.scalar_value(name).cloned().unwrap_or(Term::Unknown(OVERWRITTEN_REASON));
            let variable = CarriedVariable { over: id, before: Term::LoopCarried(id, name.clone()), start, end };
            let total = self.value_after_loop(&variable);
            rules = rules.into_iter().flat_map(|rule| self.eliminate_carried(rule, &variable, &total)).collect();
            after.push((name.clone(), total));
        }
        self.draft.rules.extend(rules);
        self.environment.leave_loop(id, &self.draft);
        for (name, value) in after {
            self.environment.assign_value(&name, Vec::new(), value, &self.open_loops);
        }
    }

    fn value_after_loop(&self, variable: &CarriedVariable<'_>) -> Term {
        let CarriedVariable { over, before, start, end } = variable;
        let count = self.draft.loop_count(*over).cloned().unwrap_or(Term::Repetitions(*over));
        if let Some(value) = variable.value_after(count.clone()) {
            return value;
        }
        if let Some(addend) = added_term(end, before) {
            return add_terms(start, Term::Fold("sum", *over, Box::new(addend)));
        }
        if let Some(found) = self.count_of_values(variable).or_else(|| self.extreme_of_all(variable)) {
            return found;
        }
        if let Some((every, claim)) = flag_condition(variable) {
            let all = Term::Quantified(every, *over, Box::new(claim));
            return Term::join_conditions(every, [(*start).clone(), all]);
        }
        if let Some((field, addend)) = self.last_field_value(end, *over) {
            return Term::Element(field, vec![count]).add_constant(addend);
        }
        if self.varies_in_loop(end, *over) { Term::Unknown(OVERWRITTEN_REASON) } else { end.clone() }
    }

    fn varies_in_loop(&self, term: &Term, over: LoopId) -> bool {
        depends_on_loop(term, over, &self.draft) || term.subterms().any(|t| matches!(t, Term::LoopCarried(..)))
    }

    /// Returns the field and the offset if a variable holds a field of the last repetition.
    fn last_field_value(&self, end: &Term, id: LoopId) -> Option<(FieldId, i128)> {
        let (Some(Term::Field(field)), more) = end.split_offset() else { return None };
        (self.draft[field].loops.last() == Some(&id)).then_some((field, more))
    }

    /// Recognizes a variable that counts the repetitions with some values: `if (x == 1) ones++; else if (x == 2) ...`.
    fn count_of_values(&self, variable: &CarriedVariable<'_>) -> Option<Term> {
        let CarriedVariable { over, before, start, end } = variable;
        let mut branches = Vec::new();
        collect_branches(end, &mut Vec::new(), &mut branches);
        let mut total = (*start).clone();
        let mut counted = false;
        for (conditions, value) in branches {
            match value.constant_difference(before)? {
                0 => {}
                1 => {
                    let number = self.count_of_value(*over, &conditions);
                    let number =
                        number.unwrap_or_else(|| Term::Matches(*over, Box::new(Term::join_all(true, conditions))));
                    total = add_terms(&total, number);
                    counted = true;
                }
                _ => return None,
            }
        }
        counted.then_some(total)
    }

    /// Returns the number of repetitions in which a field or a letter has the value that the conditions name.
    fn count_of_value(&self, over: LoopId, conditions: &[Term]) -> Option<Term> {
        // Being one value implies being no other.
        if let [Term::Any(parts)] = conditions {
            let counts = parts.iter().map(|part| self.count_of_value(over, std::slice::from_ref(part)));
            let counts: Option<Vec<Term>> = counts.collect();
            return counts?.into_iter().reduce(|left, right| Term::new_binary("+", left, right));
        }
        let equal = conditions.iter().find(|condition| matches!(condition, Term::Compare(Equal, ..)))?;
        let is_constant = |term: &Term| term.constant_value().is_some() || matches!(term, Term::Text(_));
        let (_, value, constant) = equal.comparison_of(|side| !is_constant(side))?;
        let is_implied = |other: &Term| {
            let claim = other.replace_subterms(&|part| (part == value).then(|| constant.clone()));
            claim.constant_truth() == Some(true)
        };
        if !is_constant(constant) || !conditions.iter().all(is_implied) {
            return None;
        }
        match value {
            Term::Field(_) | Term::Element(..) => {
                let (field, 0) = self.draft.whole_field(value)? else { return None };
                let own = *self.draft[field].loops.last()?;
                let is_each = own == over || matches!(value, Term::Element(..));
                is_each.then(|| Term::Count(own, field, Box::new(constant.clone())))
            }
            Term::Letter(text, place) if **place == Term::LoopIndex(over).add_constant(1) => {
                let (field, 0) = self.draft.whole_field(text)? else { return None };
                let is_every = self.draft.loop_count(over).is_some_and(|count| self.draft.is_text_length(field, count));
                is_every.then(|| Term::LetterCount(text.clone(), Box::new(constant.clone())))
            }
            _ => None,
        }
    }

    /// Recognizes `most = max(most, x)`.
    fn extreme_of_all(&self, variable: &CarriedVariable<'_>) -> Option<Term> {
        let CarriedVariable { over, before, start, end } = variable;
        let Term::Call(name @ ("min" | "max"), sides) = end else { return None };
        let value = match &**sides {
            [left, right] if left == before => right,
            [left, right] if right == before => left,
            _ => return None,
        };
        let (start, range) = (self.draft.value_range(start), self.draft.value_range(value));
        let is_unbounded = if *name == "max" { start.hi <= range.lo } else { start.lo >= range.hi };
        (is_unbounded && !value.subterms().any(|part| part == before))
            .then(|| Term::Fold(name, *over, Box::new(value.clone())))
    }

    /// Eliminates a loop-carried variable from a rule, which can result in several rules.
    fn eliminate_carried(&self, rule: DraftRule, variable: &CarriedVariable<'_>, total: &Term) -> Vec<DraftRule> {
        let CarriedVariable { over, before, end, .. } = variable;
        let is_carried = |term: &Term| term == before;
        let mentions =
            rule.claim.subterms().any(is_carried) || rule.conditions.iter().any(|(_, c)| c.subterms().any(is_carried));
        if !mentions {
            return vec![rule];
        }
        if let Some(value) = variable.value_after(Term::LoopIndex(*over)) {
            return vec![substitute_carried(rule, before, &value)];
        }
        if let Some(last) = self.last_field_value(end, *over) {
            return self.compare_with_previous(rule, variable, last);
        }
        if let Some(rule) = self.bound_running_total(&rule, variable, total) {
            return vec![rule];
        }
        vec![substitute_carried(rule, before, &Term::Unknown(OVERWRITTEN_REASON))]
    }

    /// Turns a bound on a running sum into a bound on the total, if no addend is negative.
    fn bound_running_total(&self, rule: &DraftRule, variable: &CarriedVariable<'_>, total: &Term) -> Option<DraftRule> {
        let CarriedVariable { over, before, end, .. } = variable;
        let (sign, sum, limit) = rule.claim.comparison_of(|side| side == end)?;
        let addend = added_term(sum, before)?;
        let grows = self.draft.value_range(&addend).lo >= 0;
        let is_bound = matches!(sign, Less | LessEqual) && grows && !self.varies_in_loop(limit, *over);
        if !is_bound || total.unknown_reason().is_some() {
            return None;
        }
        let mut rule = rule.clone();
        rule.claim = Term::new_comparison(total.clone(), sign, limit.clone());
        rule.loops.retain(|l| l != over);
        Some(rule)
    }

    /// Rewrites a comparison with the previous repetition as an order, or as a rule about neighbors.
    fn compare_with_previous(
        &self,
        mut rule: DraftRule,
        variable: &CarriedVariable<'_>,
        (last, more): (FieldId, i128),
    ) -> Vec<DraftRule> {
        let (id, carried) = (variable.over, &variable.before);
        let skips_first = rule.conditions.iter().any(|(_, claim)| claim.skips_first_repetition(id));
        rule.conditions.retain(|(_, claim)| !claim.skips_first_repetition(id));
        let first = substitute_carried(rule.clone(), carried, variable.start);
        let place = |more: i128| vec![Term::LoopIndex(id).add_constant(more)];
        let shifted = |term: &Term| match term {
            Term::LoopCarried(..) if term == carried => Some(Term::Element(last, place(0)).add_constant(more)),
            Term::Field(field) if self.draft[*field].loops.last() == Some(&id) => Some(Term::Element(*field, place(1))),
            _ => None,
        };
        rule.claim = rule.claim.replace_subterms(&shifted);
        rule.conditions.iter_mut().for_each(|(_, claim)| *claim = claim.replace_subterms(&shifted));
        rule.conditions.push((0, Term::new_comparison(Term::LoopIndex(id), Greater, Term::Number(0))));
        let rule = order_of_neighbours(rule, &self.draft);
        let mut found = Vec::new();
        let range = |side| self.draft.value_range(side);
        let is_implied = first
            .claim
            .as_comparison()
            .is_some_and(|(sign, left, right)| !can_hold(range(left), sign.negate_operator(), range(right)));
        if !skips_first && !is_implied {
            // In an ordered sequence, the bound on the first element applies to all of them.
            let is_ordered = matches!(rule.claim, Term::Ordered(..));
            let unknown = Term::Unknown("it only applies to the first repetition");
            found.push(if is_ordered { first } else { DraftRule { claim: unknown, ..first } });
        }
        found.push(rule);
        found
    }
}

/// Recognizes a flag that a loop sets: `if (x > 0) found = true;`, `ok = ok && x > 0;`. Returns whether it says that
/// every repetition has the condition, or that one has.
fn flag_condition(variable: &CarriedVariable<'_>) -> Option<(bool, Term)> {
    let CarriedVariable { before, end, .. } = variable;
    let (every, claim) = match end {
        Term::Conditional(claim, set, kept) if **kept == *before => match set.constant_truth()? {
            true => (false, (**claim).clone()),
            false => (true, (**claim).clone().into_negated()),
        },
        Term::All(parts) | Term::Any(parts) => {
            let every = matches!(end, Term::All(_));
            let others: Vec<Term> = parts.iter().filter(|part| *part != before).cloned().collect();
            if others.len() + 1 != parts.len() {
                return None;
            }
            (every, Term::join_all(every, others))
        }
        _ => return None,
    };
    let is_known = claim.subterms().all(|part| part != before);
    is_known.then_some((every, claim))
}

/// Collects the values that a conditional value can have, each with its conditions.
fn collect_branches(term: &Term, conditions: &mut Vec<Term>, found: &mut Vec<(Vec<Term>, Term)>) {
    let Term::Conditional(claim, then, otherwise) = term else {
        return found.push((conditions.clone(), term.clone()));
    };
    for (value, claim) in [(then, (**claim).clone()), (otherwise, (**claim).clone().into_negated())] {
        conditions.push(claim);
        collect_branches(value, conditions, found);
        conditions.pop();
    }
}

fn substitute_carried(mut rule: DraftRule, carried: &Term, value: &Term) -> DraftRule {
    let replace = |term: &Term| (term == carried).then(|| value.clone());
    rule.claim = rule.claim.replace_subterms(&replace);
    rule.conditions.iter_mut().for_each(|(_, claim)| *claim = claim.replace_subterms(&replace));
    rule
}

fn add_terms(start: &Term, more: Term) -> Term {
    match start.constant_value() {
        Some(0) => more,
        Some(number) => more.add_constant(number),
        None => Term::new_binary("+", start.clone(), more),
    }
}

/// Returns the term added to the carried value, if the value only changes by an addition.
fn added_term(end: &Term, carried: &Term) -> Option<Term> {
    let mut terms = Vec::new();
    collect_addends(end, &mut terms);
    let at = terms.iter().position(|t| t == carried)?;
    terms.remove(at);
    let rest = terms.into_iter().reduce(|a, b| Term::new_binary("+", a, b))?;
    let is_unclear = |term| matches!(term, &Term::LoopCarried(..) | &Term::Unknown(_) | &Term::Conditional(..));
    let is_clear = !rest.subterms().any(is_unclear);
    is_clear.then_some(rest)
}

fn collect_addends(term: &Term, found: &mut Vec<Term>) {
    match term {
        Term::Binary("+", left, right) => {
            collect_addends(left, found);
            collect_addends(right, found);
        }
        Term::Binary("-", left, right) => {
            collect_addends(left, found);
            found.push(right.constant_value().map_or_else(|| Term::Minus(right.clone()), |n| Term::Number(-n)));
        }
        other => found.push(other.clone()),
    }
}

// Translation of loops within a line: lists of tokens, and texts read character by character.

/// The structure of a loop's body within a line.
struct InlineLoopShape<'i> {
    /// Whether each token follows a space, or is followed by one.
    leading: bool,
    trailing: bool,
    /// Whether repetitions are separated by a space.
    separated: bool,
    /// The body without that space.
    steps: Vec<&'i Step>,
    tokens: Vec<&'i Step>,
}

impl ScriptTranslator {
    /// Translates the tokens of a loop within a line.
    ///
    /// # Errors
    ///
    /// Returns the reason why the loop cannot be expressed.
    pub(crate) fn translate_tokens(&mut self, inner: &ScriptLoop, span: Span) -> Result<(), &'static str> {
        if inner.body.iter().any(|step| matches!(step.kind, StepKind::Loop(_)) && step.reads_input()) {
            return Err("it is a nested loop within a line");
        }
        let shape = inline_loop_shape(inner).ok_or("it is a loop within a line that does not read a list")?;
        let count = match &inner.header {
            LoopHeader::Times(count) => Amount::Exactly(self.evaluate(count)),
            LoopHeader::While(condition) if is_until_line_end(condition) => Amount::Between(Interval::NATURAL),
            LoopHeader::While(_) | LoopHeader::Until(_) => {
                return Err("it is a loop within a line with an unknown number of repetitions");
            }
        };
        if let Amount::Exactly(term) = &count {
            term.size_error().map_or(Ok(()), Err)?;
        }
        if !shape.separated && !shape.leading && !shape.trailing {
            return self.translate_adjacent_tokens(inner, &shape, count, span);
        }
        self.current_line.ends_with_blank |= shape.leading;
        self.translate_group(inner, &shape, count, span)?;
        self.current_line.ends_with_blank |= shape.trailing;
        Ok(())
    }

    /// Translates a group of several tokens, `(x y)[n]`, or a list of one.
    fn translate_group(
        &mut self,
        inner: &ScriptLoop,
        shape: &InlineLoopShape<'_>,
        count: Amount,
        span: Span,
    ) -> Result<(), &'static str> {
        let is_list = shape.tokens.len() == 1;
        let is_number = matches!(shape.tokens[0].kind, StepKind::Number { .. });
        match count {
            Amount::Between(..) if !is_list => return Err("it reads different tokens up to the end of the line"),
            Amount::Between(..) if !is_number => return Err("it reads several texts on one line"),
            _ => {}
        }
        let kind = if is_list { LoopKind::Inline } else { LoopKind::Block };
        let id = self.declare_loop(inner, count, kind, span);
        let before = std::mem::take(&mut self.current_line);
        self.translate_loop_body(id, inner, |this| this.translate_without_lines(shape.steps.iter().copied()));
        let mut line = std::mem::replace(&mut self.current_line, before);
        if let Some((span, reason)) = line.inexpressible {
            self.mark_line_inexpressible(span, reason);
        }
        let field = match line.parts[..] {
            [LinePart { kind: PartKind::Field(field), .. }] if is_list => field,
            _ => {
                self.push_part(PartKind::Group(id, std::mem::take(&mut line.parts)), span);
                return Ok(());
            }
        };
        self.draft[field].is_row = self.draft[field].is_text();
        if matches!(&self.draft[field].kind, FieldContent::Text { letters, .. } if contains_letter(letters, b' ')) {
            self.mark_line_inexpressible(shape.tokens[0].span, "it reads several texts with spaces on one line");
        }
        self.push_part(PartKind::Field(field), span);
        Ok(())
    }

    /// Translates characters without anything between them.
    fn translate_adjacent_tokens(
        &mut self,
        inner: &ScriptLoop,
        shape: &InlineLoopShape<'_>,
        count: Amount,
        span: Span,
    ) -> Result<(), &'static str> {
        let letters = match shape.tokens.as_slice() {
            [Step { kind: StepKind::Token(pattern, _), .. }] => {
                pattern.uniform_letters().filter(|_| pattern.length_range() == Interval::from_value(1))
            }
            _ => None,
        };
        const NO_TEXT: &str = "it reads adjacent tokens on one line";
        let mut letters = letters.ok_or(NO_TEXT)?;
        letters.intersect(&letters_of_range(b'!', b'~'));
        if letters.ranges().is_empty() {
            return Err(NO_TEXT);
        }
        let assigned = assigned_variables(std::slice::from_ref(shape.tokens[0]));
        let name = assigned.first().map(|name| Variable::new(name));
        let field = self.declare_field(FieldContent::Text { letters, size: count }, name.as_ref(), span);
        self.push_part(PartKind::Field(field), span);
        assigned_variables(&inner.body).into_iter().for_each(|name| self.forget_variable(name));
        let id = self.declare_loop(inner, Amount::Between(Interval::NATURAL), LoopKind::Pure, span);
        self.translate_loop_body(id, inner, |this| {
            this.translate_without_lines(inner.body.iter().filter(|step| !step.reads_input()));
        });
        Ok(())
    }
}

/// Returns the structure of a loop's body if it consists of tokens separated by spaces.
fn inline_loop_shape(inner: &ScriptLoop) -> Option<InlineLoopShape<'_>> {
    let mut steps: Vec<&Step> = inner.body.iter().collect();
    let first = steps.iter().position(|step| step.reads_input())?;
    let last = steps.iter().rposition(|step| step.reads_input())?;
    let leading = steps[first].kind == StepKind::Space;
    let trailing = !leading && steps[last].kind == StepKind::Space;
    if leading || trailing {
        steps.remove(if leading { first } else { last });
    }
    let separated = match inner.separator.as_slice() {
        [] => false,
        [Step { kind: StepKind::Space, .. }] if !leading && !trailing => true,
        _ => return None,
    };
    let mut tokens = Vec::new();
    let mut follows_space = true;
    for step in steps.iter().copied().filter(|step| step.reads_input()) {
        match &step.kind {
            StepKind::Number { .. } | StepKind::Token(..) | StepKind::Literal(_) if follows_space => tokens.push(step),
            StepKind::Space if !follows_space => {}
            _ => return None,
        }
        follows_space = !follows_space;
    }
    let has_field = tokens.iter().any(|step| !matches!(step.kind, StepKind::Literal(_)));
    (has_field && !follows_space).then_some(InlineLoopShape { leading, trailing, separated, steps, tokens })
}

/// Returns true for `!MATCH("\n")`.
fn is_until_line_end(test: &Term) -> bool {
    let Term::Not(inner) = test else { return false };
    let Term::NextIsOneOf(letters) = &**inner else { return false };
    matches!(&**letters, Term::Text(text) if text.contains(&b'\n'))
}
