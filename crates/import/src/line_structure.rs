//! Restructuring of a script's steps into lines.
//!
//! Formats consist of lines and blocks of lines, but scripts know neither: a line feed can come first in a loop or
//! between its repetitions, and a condition can occur within a line. Loops are rotated until they hold complete
//! lines, and the rest of a condition's line is copied into both of its branches.

use crate::environment::{Evaluator as _, ScriptConstants};
use crate::steps::{ScriptLoop, Step, StepKind, any_reads_input, assigned_variables};
use crate::term::{LocatedTerm, Term, Variable};
use rebut_diagnostics::{Diagnostic, Span};
use std::collections::VecDeque;

/// Maximum number of alternatives that a choice is expanded to.
const MAX_ALTERNATIVES: i128 = 12;

/// Maximum number of steps, because nested choices multiply. No real script comes close.
const MAX_STRUCTURING_STEPS: usize = 20_000;

/// Restructures steps into lines. `steps` counts the steps that were processed.
pub(crate) fn structure_steps(
    items: Vec<Step>,
    constants: &ScriptConstants,
    steps: &mut usize,
    warnings: &mut Vec<Diagnostic>,
) -> Vec<Step> {
    let mut structurer = LineStructurer {
        pending: items.into(),
        output: Vec::new(),
        line_start: 0,
        constants,
        step_count: steps,
        warnings,
    };
    while let Some(item) = structurer.pending.pop_front() {
        structurer.process_step(item);
    }
    structurer.output
}

struct LineStructurer<'w> {
    pending: VecDeque<Step>,
    output: Vec<Step>,
    /// Where in `output` the current line begins.
    line_start: usize,
    constants: &'w ScriptConstants,
    step_count: &'w mut usize,
    warnings: &'w mut Vec<Diagnostic>,
}

impl LineStructurer<'_> {
    fn process_step(&mut self, item: Step) {
        *self.step_count += 1;
        let span = item.span;
        match item.kind {
            StepKind::Loop(inner) if any_reads_input(&inner.separator) || any_reads_input(&inner.body) => {
                self.process_loop(*inner, span);
            }
            StepKind::If { test, then, otherwise } => self.process_condition(test, then, otherwise, span),
            kind => {
                let is_between_lines = self.is_at_line_start() && !Step { kind: kind.clone(), span }.reads_input();
                let ends_line = kind == StepKind::Newline;
                self.output.push(Step { kind, span });
                if is_between_lines || ends_line {
                    self.line_start = self.output.len();
                }
            }
        }
    }

    fn is_at_line_start(&self) -> bool {
        self.line_start == self.output.len()
    }

    fn structure_inner(&mut self, items: Vec<Step>) -> Vec<Step> {
        structure_steps(items, self.constants, self.step_count, self.warnings)
    }

    /// Removes the line feed that comes next.
    fn take_newline(&mut self) {
        if let Some(at) = self.pending.iter().position(Step::reads_input) {
            self.pending.remove(at);
        } else {
            // The end of the input ends a line, too.
            let span = self.output.last().map_or(Span::default(), |i| i.span);
            self.warnings.push(missing_newline_warning(span));
        }
    }

    /// Processes a loop, rotated to hold complete lines if possible.
    fn process_loop(&mut self, mut inner: ScriptLoop, span: Span) {
        let newline = || Step { kind: StepKind::Newline, span };
        let newlines = inner.separator.iter().all(|i| i.kind == StepKind::Newline) && !inner.separator.is_empty();
        let next = self.pending.iter().find(|step| step.reads_input());
        let can_rotate = !ends_line(&inner.body) && next.is_none_or(|next| next.kind == StepKind::Newline);
        if newlines && can_rotate && any_reads_input(&inner.body) {
            self.take_newline();
            inner.absorbed_newline = true;
            inner.separator.pop();
            inner.body.push(newline());
        }
        let body = std::mem::take(&mut inner.body);
        inner.body = self.structure_inner(body);
        let is_between_lines = self.is_at_line_start() && is_loop_of_lines(&inner);
        self.output.push(Step { kind: StepKind::Loop(Box::new(inner)), span });
        if is_between_lines {
            self.line_start = self.output.len();
        }
    }

    fn process_condition(&mut self, test: LocatedTerm, then: Vec<Step>, otherwise: Vec<Step>, span: Span) {
        if let Some(holds) = self.constants.evaluate(&test.term).constant_truth() {
            for item in if holds { then } else { otherwise }.into_iter().rev() {
                self.pending.push_front(item);
            }
            return;
        }
        let is_line_based = |items: &[Step]| !any_reads_input(items) || ends_line(items);
        let reads_nothing = !any_reads_input(&then) && !any_reads_input(&otherwise);
        if reads_nothing
            || self.is_at_line_start() && is_line_based(&then) && is_line_based(&otherwise)
            || *self.step_count > MAX_STRUCTURING_STEPS
        {
            let (then, otherwise) = (self.structure_inner(then), self.structure_inner(otherwise));
            self.output.push(Step { kind: StepKind::If { test, then, otherwise }, span });
            if !reads_nothing || self.line_start + 1 == self.output.len() {
                self.line_start = self.output.len();
            }
            return;
        }
        let before = self.output.split_off(self.line_start);
        let newline = self.pending.iter().position(|item| item.kind == StepKind::Newline);
        let after: Vec<Step> = self.pending.drain(..newline.map_or(self.pending.len(), |at| at + 1)).collect();
        let branches = [then, otherwise].map(|branch| [branch, after.clone()].concat());
        let kind = self.split_line(test, before, branches, span);
        self.output.push(Step { kind, span });
        self.line_start = self.output.len();
    }

    /// Splits a line at a condition: returns complete lines for each branch.
    fn split_line(&mut self, test: LocatedTerm, before: Vec<Step>, branches: [Vec<Step>; 2], span: Span) -> StepKind {
        if let Some(choice) = find_deciding_token(&test.term, &before, self.constants) {
            return self.split_by_value(choice, &test.term, &before, &branches);
        }
        let reads = test.term.variables();
        let reads_own_line = assigned_variables(&before).iter().any(|name| reads.contains(name));
        let [then, otherwise] = branches;
        if !reads_own_line || matches!(test.term, Term::NextIsOneOf(_)) {
            let [then, otherwise] = [then, otherwise].map(|branch| [before.clone(), branch].concat());
            return StepKind::If { test, then: self.structure_inner(then), otherwise: self.structure_inner(otherwise) };
        }
        // The input decides between the alternatives, and each asserts its condition.
        let negated = Term::Not(Box::new(test.term.clone()));
        let alternatives = [(test.term, then), (negated, otherwise)].map(|(test, branch)| {
            let asserted = Step { kind: StepKind::Assert(test), span };
            self.structure_inner([before.clone(), vec![asserted], branch].concat())
        });
        StepKind::Alternatives(alternatives.into())
    }

    /// Expands a condition to an alternative for each value of the deciding token.
    fn split_by_value(
        &mut self,
        (position, name, values): (usize, String, Vec<Term>),
        test: &Term,
        before: &[Step],
        branches: &[Vec<Step>; 2],
    ) -> StepKind {
        let mut alternatives = Vec::new();
        for value in values {
            let constants = self.constants.with_constant(&name, value.clone());
            let mut items = before.to_vec();
            let literal = match &value {
                Term::Text(text) => text.clone(),
                number => number.constant_value().unwrap_or_default().to_string().into_bytes(),
            };
            let span = items[position].span;
            items[position] = Step { kind: StepKind::Literal(literal), span };
            items.insert(position + 1, Step { kind: StepKind::Set(vec![(Variable::new(&name), value)]), span });
            let holds = constants.evaluate(test).constant_truth() == Some(true);
            items.extend(branches[usize::from(!holds)].iter().cloned());
            alternatives.push(structure_steps(items, &constants, self.step_count, self.warnings));
        }
        StepKind::Alternatives(alternatives)
    }
}

/// Finds a token of the current line that decides a condition by its value alone. Returns its position, its name and all
/// values that it can have.
fn find_deciding_token(
    test: &Term,
    before: &[Step],
    constants: &ScriptConstants,
) -> Option<(usize, String, Vec<Term>)> {
    before.iter().enumerate().find_map(|(at, item)| {
        let (variable, values) = match &item.kind {
            StepKind::Number { min, max, real: None, name } => {
                let number = |term| constants.evaluate(term).constant_value();
                let (min, max) = (number(min)?, number(max)?);
                let is_small = max.checked_sub(min)? < MAX_ALTERNATIVES;
                (name.as_ref()?, is_small.then(|| (min..=max).map(Term::Number).collect::<Vec<_>>())?)
            }
            StepKind::Token(pattern, name) => {
                let words = pattern.enumerate_words(usize::try_from(MAX_ALTERNATIVES).unwrap_or(0))?;
                (name.as_ref()?, words.into_iter().map(Term::Text).collect())
            }
            _ => return None,
        };
        let is_usable = variable.indices.is_empty() && !values.is_empty();
        let decides = |value: &Term| {
            let constants = constants.with_constant(&variable.name, value.clone());
            constants.evaluate(test).constant_truth().is_some()
        };
        (is_usable && values.iter().all(decides)).then(|| (at, variable.name.clone(), values))
    })
}

/// Returns true if the steps always end at the end of a line.
pub(crate) fn ends_line(items: &[Step]) -> bool {
    match items.iter().rev().find(|i| i.reads_input()).map(|i| &i.kind) {
        Some(StepKind::Newline) => true,
        Some(StepKind::Loop(inner)) => is_loop_of_lines(inner),
        Some(StepKind::If { then, otherwise, .. }) => {
            [then, otherwise].iter().all(|branch| !any_reads_input(branch) || ends_line(branch))
        }
        Some(StepKind::Alternatives(alternatives)) => alternatives.iter().all(|a| ends_line(a)),
        _ => false,
    }
}

/// Returns true if each repetition of a loop is complete lines, with nothing or an empty line between two.
pub(crate) fn is_loop_of_lines(inner: &ScriptLoop) -> bool {
    let is_between_lines = inner.separator.is_empty() || is_empty_line(&inner.separator);
    is_between_lines && ends_line(&inner.body)
}

/// Returns true if the steps between complete lines are an empty line.
pub(crate) fn is_empty_line(separator: &[Step]) -> bool {
    matches!(separator, [Step { kind: StepKind::Newline, .. }])
}

/// Warns that the input ends in the middle of a line, which a format cannot express.
pub(crate) fn missing_newline_warning(span: Span) -> Diagnostic {
    Diagnostic::warning("ctd-lost", span, "the input ends without a line feed")
        .with_caret("this line has no line feed")
        .with_note("in a format, every line ends with a line feed")
}
