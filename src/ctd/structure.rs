//! Items put into lines.
//!
//! A format knows lines, and blocks of lines. A script knows neither: a line feed may come first in a loop, or between
//! its repetitions, and a condition may stand in the middle of a line. Here loops are turned until they hold whole
//! lines, and what surrounds a condition within its line is written into both of its branches.

use super::constants::{Constant, Constants};
use super::items::{Item, ItemKind, Loop, has_layout};
use super::syntax::{Expr, ExprKind, Test, TestKind, Variable};
use crate::diagnostic::{Diagnostic, Span};
use std::collections::VecDeque;

/// A choice with more alternatives than these is not written out.
const MOST_ALTERNATIVES: i128 = 12;

/// Writing out choices within choices multiplies them; this many steps are enough for any script.
const MOST_STEPS: usize = 20_000;

/// The same items, in lines.
pub(super) fn structured(items: Vec<Item>, constants: &Constants, warnings: &mut Vec<Diagnostic>) -> Vec<Item> {
    let mut steps = 0;
    lines(items, constants, &mut steps, warnings)
}

fn lines(items: Vec<Item>, constants: &Constants, steps: &mut usize, warnings: &mut Vec<Diagnostic>) -> Vec<Item> {
    let mut walk = Walk { rest: items.into(), out: Vec::new(), line: 0, constants, steps, warnings };
    while let Some(item) = walk.rest.pop_front() {
        walk.item(item);
    }
    walk.out
}

struct Walk<'w> {
    rest: VecDeque<Item>,
    out: Vec<Item>,
    /// Where in `out` the line at hand begins.
    line: usize,
    constants: &'w Constants,
    steps: &'w mut usize,
    warnings: &'w mut Vec<Diagnostic>,
}

impl Walk<'_> {
    fn item(&mut self, item: Item) {
        *self.steps += 1;
        let span = item.span;
        match item.kind {
            ItemKind::Loop(inner) if item_has_layout(&inner) => self.repeated(*inner, span),
            ItemKind::If { test, then, otherwise } => self.condition(test, then, otherwise, span),
            kind => {
                let fresh = self.at_start() && !Item { kind: kind.clone(), span }.is_layout();
                let ends = kind == ItemKind::Newline;
                self.out.push(Item { kind, span });
                if fresh || ends {
                    self.line = self.out.len();
                }
            }
        }
    }

    fn at_start(&self) -> bool {
        self.line == self.out.len()
    }

    fn inner(&mut self, items: Vec<Item>) -> Vec<Item> {
        lines(items, self.constants, self.steps, self.warnings)
    }

    fn newline(&mut self, span: Span) {
        self.out.push(Item { kind: ItemKind::Newline, span });
        self.line = self.out.len();
    }

    /// Whether the next thing of the input is a line feed; if so, it is taken.
    fn takes_newline(&mut self) -> bool {
        let next = self.rest.iter().position(Item::is_layout);
        match next {
            Some(at) if self.rest[at].kind == ItemKind::Newline => {
                self.rest.remove(at);
                true
            }
            // Where the input ends, a line ends as well.
            None => {
                let span = self.out.last().map_or(Span::default(), |i| i.span);
                self.warnings.push(no_newline(span));
                true
            }
            _ => false,
        }
    }

    /// A loop: turned so that it holds whole lines, if it can be.
    fn repeated(&mut self, mut inner: Loop, span: Span) {
        let newline = || Item { kind: ItemKind::Newline, span };
        let newlines = inner.separator.iter().all(|i| i.kind == ItemKind::Newline) && !inner.separator.is_empty();
        let leading =
            inner.body.iter().position(Item::is_layout).filter(|at| inner.body[*at].kind == ItemKind::Newline);
        let turns = !ends_line(&inner.body) && self.next_is_newline();
        if newlines && turns && has_layout(&inner.body) {
            inner.took_newline = self.takes_newline();
            inner.separator.pop();
            inner.body.push(newline());
        } else if let Some(at) = leading.filter(|_| turns && inner.separator.is_empty()) {
            self.takes_newline();
            inner.body.remove(at);
            inner.body.push(newline());
            self.newline(span);
        }
        let body = std::mem::take(&mut inner.body);
        inner.body = self.inner(body);
        if inner.separator.is_empty() && ends_line(&inner.body) {
            return self.whole(inner, span);
        }
        self.out.push(Item { kind: ItemKind::Loop(Box::new(inner)), span });
    }

    fn next_is_newline(&self) -> bool {
        self.rest.iter().find(|i| i.is_layout()).is_none_or(|i| i.kind == ItemKind::Newline)
    }

    /// A loop over whole lines.
    fn whole(&mut self, inner: Loop, span: Span) {
        self.out.push(Item { kind: ItemKind::Loop(Box::new(inner)), span });
        if self.line + 1 == self.out.len() {
            self.line = self.out.len();
        }
    }

    fn condition(&mut self, test: Test, then: Vec<Item>, otherwise: Vec<Item>, span: Span) {
        if let Some(holds) = self.constants.holds(&test) {
            for item in if holds { then } else { otherwise }.into_iter().rev() {
                self.rest.push_front(item);
            }
            return;
        }
        let whole = |items: &[Item]| !has_layout(items) || ends_line(items);
        let without = !has_layout(&then) && !has_layout(&otherwise);
        if without || self.at_start() && whole(&then) && whole(&otherwise) || *self.steps > MOST_STEPS {
            let kind = ItemKind::If { test, then: self.inner(then), otherwise: self.inner(otherwise) };
            self.out.push(Item { kind, span });
            if !without || self.line + 1 == self.out.len() {
                self.line = self.out.len();
            }
            return;
        }
        let before = self.out.split_off(self.line);
        let mut after = Vec::new();
        while let Some(item) = self.rest.pop_front() {
            let ends = item.kind == ItemKind::Newline;
            after.push(item);
            if ends {
                break;
            }
        }
        let branches = [then, otherwise].map(|branch| [branch, after.clone()].concat());
        let kind = self.fork(test, before, branches, span);
        self.out.push(Item { kind, span });
        self.line = self.out.len();
    }

    /// Whole lines for each way that a condition within a line can go.
    fn fork(&mut self, test: Test, before: Vec<Item>, branches: [Vec<Item>; 2], span: Span) -> ItemKind {
        if let Some(choice) = choice(&test, &before, self.constants) {
            return self.choose(&choice, &test, &before, &branches);
        }
        let reads = names(&test);
        let own = before.iter().any(|item| writes(item).iter().any(|name| reads.contains(name)));
        let [then, otherwise] = branches;
        if !own || matches!(test.kind, TestKind::Next(_)) {
            let [then, otherwise] = [then, otherwise].map(|branch| [before.clone(), branch].concat());
            return ItemKind::If { test, then: self.inner(then), otherwise: self.inner(otherwise) };
        }
        // The line tells which way it went; what the test says of it is asserted either way.
        let negated = Test { kind: TestKind::Not(Box::new(test.clone())), span: test.span };
        let alternatives = [(test, then), (negated, otherwise)].map(|(test, branch)| {
            let asserted = Item { kind: ItemKind::Assert(test), span };
            self.inner([before.clone(), vec![asserted], branch].concat())
        });
        ItemKind::Either(alternatives.into())
    }

    /// An alternative for each value of the token that the condition asks for.
    fn choose(&mut self, choice: &Choice, test: &Test, before: &[Item], branches: &[Vec<Item>; 2]) -> ItemKind {
        let mut alternatives = Vec::new();
        for value in &choice.values {
            let constants = self.constants.with(&choice.name, value.clone());
            let mut items = before.to_vec();
            let literal = match value {
                Constant::Number(number) => number.to_string().into_bytes(),
                Constant::Text(text) => text.clone(),
            };
            let span = items[choice.at].span;
            items[choice.at] = Item { kind: ItemKind::Literal(literal), span };
            items.insert(choice.at + 1, Item { kind: ItemKind::Known(choice.name.clone(), value.clone()), span });
            items.extend(branches[usize::from(constants.holds(test) != Some(true))].iter().cloned());
            alternatives.push(lines(items, &constants, self.steps, self.warnings));
        }
        ItemKind::Either(alternatives)
    }
}

/// A token of the line on whose value a condition depends, and on nothing else.
struct Choice {
    at: usize,
    name: String,
    values: Vec<Constant>,
}

fn choice(test: &Test, before: &[Item], constants: &Constants) -> Option<Choice> {
    before.iter().enumerate().find_map(|(at, item)| {
        let (variable, values) = match &item.kind {
            ItemKind::Integer { least, most, name } => {
                let (least, most) = (constants.number(least)?, constants.number(most)?);
                let few = most.checked_sub(least)? < MOST_ALTERNATIVES;
                (name.as_ref()?, few.then(|| (least..=most).map(Constant::Number).collect::<Vec<_>>())?)
            }
            ItemKind::Token(pattern, name) => {
                let words = pattern.words(usize::try_from(MOST_ALTERNATIVES).unwrap_or(0))?;
                (name.as_ref()?, words.into_iter().map(Constant::Text).collect())
            }
            _ => return None,
        };
        let plain = variable.indices.is_empty() && !values.is_empty();
        let decides = |value: &Constant| constants.with(&variable.name, value.clone()).holds(test).is_some();
        (plain && values.iter().all(decides)).then(|| Choice { at, name: variable.name.clone(), values })
    })
}

fn item_has_layout(inner: &Loop) -> bool {
    has_layout(&inner.body) || has_layout(&inner.separator)
}

/// Whether items end with the end of a line, whatever happens.
pub(super) fn ends_line(items: &[Item]) -> bool {
    match items.iter().rev().find(|i| i.is_layout()).map(|i| &i.kind) {
        Some(ItemKind::Newline) => true,
        Some(ItemKind::Loop(inner)) => inner.separator.is_empty() && ends_line(&inner.body),
        Some(ItemKind::If { then, otherwise, .. }) => {
            [then, otherwise].iter().all(|branch| !has_layout(branch) || ends_line(branch))
        }
        Some(ItemKind::Either(alternatives)) => alternatives.iter().all(|a| ends_line(a)),
        _ => false,
    }
}

/// The input ends in the middle of a line, and a format ends every line.
pub(super) fn no_newline(span: Span) -> Diagnostic {
    Diagnostic::warning("ctd-lost", span, "the input ends without a line feed")
        .caret("nothing ends this line")
        .note("every line of an input ends with a line feed: the format asks for one")
}

/// The variables that a test reads.
fn names(test: &Test) -> Vec<&str> {
    match &test.kind {
        TestKind::Not(inner) => names(inner),
        TestKind::And(left, right) | TestKind::Or(left, right) => [names(left), names(right)].concat(),
        TestKind::Compare(_, left, right) => [read(left), read(right)].concat(),
        TestKind::Unique(found) => found.iter().map(String::as_str).collect(),
        TestKind::Among(value, array) => [read(value), vec![array.as_str()]].concat(),
        TestKind::AtEnd | TestKind::Next(_) => Vec::new(),
    }
}

fn read(expr: &Expr) -> Vec<&str> {
    match &expr.kind {
        ExprKind::Variable(Variable { name, indices, .. }) => {
            let mut found = vec![name.as_str()];
            found.extend(indices.iter().flat_map(read));
            found
        }
        ExprKind::Length(inner) | ExprKind::Minus(inner) => read(inner),
        ExprKind::Binary(_, left, right) => [read(left), read(right)].concat(),
        _ => Vec::new(),
    }
}

/// The variables that an item gives a value.
pub(super) fn writes(item: &Item) -> Vec<&str> {
    match &item.kind {
        ItemKind::Integer { name, .. } | ItemKind::Float { name, .. } | ItemKind::Token(_, name) => {
            name.iter().map(|v| v.name.as_str()).collect()
        }
        ItemKind::Set(values) => values.iter().map(|(v, _)| v.name.as_str()).collect(),
        ItemKind::Unset(names) => names.iter().map(String::as_str).collect(),
        ItemKind::Known(name, _) => vec![name],
        ItemKind::Forget(variable) => vec![&variable.name],
        ItemKind::Loop(inner) => {
            inner.counter.iter().map(|v| v.name.as_str()).chain(inner.body.iter().flat_map(writes)).collect()
        }
        ItemKind::If { then, otherwise, .. } => then.iter().chain(otherwise).flat_map(writes).collect(),
        ItemKind::Either(alternatives) => alternatives.iter().flatten().flat_map(writes).collect(),
        _ => Vec::new(),
    }
}
