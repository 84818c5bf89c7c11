//! Items to a draft: the script is run once, on symbols in place of numbers.
//!
//! What cannot be said is reported where it stands, and left out in such a way that the format accepts more than the
//! script, never less; the few exceptions say so.

use super::constants::Constant;
use super::draft::{Count, Draft, FieldKind, Loop as DraftLoop, LoopKind, Node, Part, Rule, Size, What};
use super::environment::Environment;
use super::items::{Header, Item, ItemKind, Loop, has_layout};
use super::letters::Letters;
use super::names::Names;
use super::structure::{ends_line, no_newline, writes};
use super::syntax::{Expr, Test, TestKind, Variable};
use super::term::{Claim, FieldId, LoopId, Term, mirrored};
use crate::diagnostic::{Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

/// How often something is repeated at most of which the script does not say it.
pub(super) const MOST_REPETITIONS: i128 = 1000;

/// How long a line may be that is accepted whatever is in it.
const LONGEST_LINE: i128 = 1_000_000;

/// The state of a translation.
pub(super) struct Translator<'n> {
    pub(super) draft: Draft,
    pub(super) environment: Environment,
    pub(super) names: Names<'n>,
    pub(super) open: Vec<LoopId>,
    pub(super) conditions: Vec<(usize, Claim)>,
    pub(super) branches: usize,
    pub(super) warnings: Vec<Diagnostic>,
    /// What carried variables were before their loops.
    pub(super) starts: BTreeMap<(LoopId, String), Term>,
    /// The arrays that are emptied anywhere.
    pub(super) emptied: BTreeSet<String>,
    /// What was said that needs not be said again.
    pub(super) said: BTreeSet<&'static str>,
    pub(super) line: Line,
}

/// The line at hand.
#[derive(Default)]
pub(super) struct Line {
    pub(super) parts: Vec<Part>,
    blank: bool,
    span: Option<Span>,
    /// Why the whole line cannot be said part by part.
    pub(super) broken: Option<(Span, String)>,
}

/// Translates a script's items.
pub(super) fn translate<'n>(items: &[Item], draft: Draft, names: Names<'n>) -> (Draft, Names<'n>, Vec<Diagnostic>) {
    let mut translator = Translator {
        draft,
        environment: Environment::default(),
        names,
        open: Vec::new(),
        conditions: Vec::new(),
        branches: 0,
        warnings: Vec::new(),
        starts: BTreeMap::new(),
        emptied: emptied(items),
        said: BTreeSet::new(),
        line: Line::default(),
    };
    translator.draft.layout = translator.block(items);
    (translator.draft, translator.names, translator.warnings)
}

impl Translator<'_> {
    /// The lines that items make.
    fn block(&mut self, items: &[Item]) -> Vec<Node> {
        let mut nodes = Vec::new();
        for item in items {
            self.item(item, &mut nodes);
        }
        if !self.line.parts.is_empty() || self.line.broken.is_some() {
            let span = self.line.span.unwrap_or_default();
            self.warnings.push(no_newline(span));
            self.end_line(span, &mut nodes);
        }
        nodes
    }

    /// Items that read nothing: the line at hand goes on.
    pub(super) fn quietly(&mut self, items: &[Item]) -> Vec<Node> {
        let mut nodes = Vec::new();
        items.iter().for_each(|item| self.item(item, &mut nodes));
        nodes
    }

    pub(super) fn item(&mut self, item: &Item, nodes: &mut Vec<Node>) {
        let span = item.span;
        if item.is_layout() {
            self.line.span.get_or_insert(span);
        }
        match &item.kind {
            ItemKind::Space => self.space(span),
            ItemKind::Newline => self.end_line(span, nodes),
            ItemKind::Literal(text) => self.literal(text.clone(), span),
            ItemKind::Integer { .. } | ItemKind::Float { .. } | ItemKind::Token(..) => {
                if let Some((kind, name, prefix)) = self.token(item) {
                    let field = self.field(kind, name.as_ref(), prefix, span);
                    self.push(What::Field(field), span);
                }
            }
            ItemKind::Assert(test) => self.assert(test, span),
            ItemKind::Set(values) => values.iter().for_each(|(variable, value)| self.set(variable, value)),
            ItemKind::Unset(names) => names.iter().for_each(|name| self.environment.unset(name)),
            ItemKind::Known(name, value) => {
                let value = match value {
                    Constant::Number(number) => Term::Number(*number),
                    Constant::Text(text) => Term::Text(text.clone()),
                };
                self.environment.set(name, Vec::new(), value, &self.open);
            }
            ItemKind::Forget(variable) => self.forget(&variable.name),
            ItemKind::Loop(inner) => self.repeated(inner, span, nodes),
            ItemKind::If { test, then, otherwise } => self.condition(test, [then, otherwise], span, nodes),
            ItemKind::Either(alternatives) => self.either(alternatives, nodes),
            ItemKind::Lost(why) => self.break_line(span, why.clone()),
            ItemKind::Eof => {}
        }
    }

    // Lines.

    fn space(&mut self, span: Span) {
        if self.line.parts.is_empty() || self.line.blank {
            self.break_line(span, "a blank that stands first on its line, or after another");
        }
        self.line.blank = true;
    }

    fn literal(&mut self, text: Vec<u8>, span: Span) {
        if let (Some(Part { what: What::Literal(before), .. }), false) = (self.line.parts.last_mut(), self.line.blank) {
            before.extend(text);
            return;
        }
        self.push(What::Literal(text), span);
    }

    /// A blank that a list has before or behind it.
    pub(super) fn blank(&mut self) {
        self.line.blank = true;
    }

    /// One more part of the line at hand.
    pub(super) fn push(&mut self, what: What, span: Span) {
        let glued = !self.line.parts.is_empty() && !self.line.blank;
        if glued && let (What::Field(_), Some(Part { what: What::Field(before), .. })) = (&what, self.line.parts.last())
        {
            let before = *before;
            if !self.can_be_glued(before) {
                self.break_line(span, "two tokens with nothing between them that tells where the second begins");
            }
        }
        self.line.parts.push(Part { what, glued });
        self.line.blank = false;
    }

    /// Whether a field can follow another without a blank: the format must be able to write it, and to read it.
    fn can_be_glued(&mut self, before: FieldId) -> bool {
        if let FieldKind::Words(words) = &self.draft.field(before).kind
            && words.iter().all(|w| w.len() == 1)
        {
            let letters = words.iter().fold(Letters::none(), |l, w| l.with(&Letters::one(w[0])));
            self.draft.fields[before.0].kind = FieldKind::Text { letters, size: Size::Exactly(Term::Number(1)) };
        }
        matches!(&self.draft.field(before).kind, FieldKind::Text { size: Size::Exactly(_), .. })
    }

    /// The line at hand is taken as a text, whatever is in it.
    pub(super) fn break_line(&mut self, span: Span, why: impl Into<String>) {
        let why = why.into();
        self.line.broken.get_or_insert((span, why));
    }

    fn end_line(&mut self, span: Span, nodes: &mut Vec<Node>) {
        let mut line = std::mem::take(&mut self.line);
        if line.blank && line.broken.is_none() {
            line.broken = Some((span, "a blank at the end of a line".to_owned()));
        }
        let span = line.span.unwrap_or(span);
        if let Some((place, why)) = line.broken {
            self.lose(place, &why, "the whole line is accepted, whatever is in it");
            for part in &line.parts {
                part.what.each_field(&mut |field| self.draft.fields[field.0].dropped = true);
            }
            line.parts = vec![Part { what: What::Field(self.anything(span)), glued: false }];
        }
        if line.parts.is_empty() {
            line.parts = vec![Part { what: What::Field(self.nothing(span)), glued: false }];
        }
        nodes.push(Node::Line(line.parts));
    }

    /// A line of any visible characters and blanks.
    fn anything(&mut self, span: Span) -> FieldId {
        let letters = Letters::range(b' ', b'~');
        self.field(FieldKind::Text { letters, size: Size::Between(0, Some(LONGEST_LINE)) }, None, "line", span)
    }

    /// An empty line: a row of no characters.
    fn nothing(&mut self, span: Span) -> FieldId {
        let kind = FieldKind::Text { letters: Letters::one(b'-'), size: Size::Exactly(Term::Number(0)) };
        self.field(kind, None, "blank", span)
    }

    /// Reports what is lost, and what the format says in its place.
    pub(super) fn lose(&mut self, span: Span, why: &str, instead: &str) {
        self.warnings.push(super::lost(span, why, instead));
    }

    // Conditions.

    fn condition(&mut self, test: &Test, branches: [&Vec<Item>; 2], span: Span, nodes: &mut Vec<Node>) {
        let claim = self.claim(test);
        let asks_ahead = matches!(&test.kind, TestKind::Next(_))
            || matches!(&test.kind, TestKind::Not(inner) if matches!(inner.kind, TestKind::Next(_) | TestKind::AtEnd));
        let layout = branches.map(|branch| has_layout(branch));
        let chosen = asks_ahead || claim.unknown().is_some();
        if chosen && layout == [true, true] {
            if !asks_ahead {
                self.lose(test.span, claim.unknown().unwrap_or_default(), "either way is accepted");
            }
            return self.either(&[branches[0].clone(), branches[1].clone()], nodes);
        }
        if chosen && layout != [false, false] {
            self.lose(span, "lines that are there or not", "they are always expected");
        }
        let before = self.environment.clone();
        let mut after = Vec::new();
        for (branch, claim) in branches.into_iter().zip([claim.clone(), claim.clone().negated()]) {
            self.environment = before.clone();
            let mut inner = self.branch(branch, &claim);
            if has_layout(branch) {
                if chosen {
                    nodes.append(&mut inner);
                } else {
                    nodes.push(Node::If(claim, test.span, inner));
                }
            }
            after.push(std::mem::take(&mut self.environment));
        }
        self.environment = Environment::merged(&claim, &after[0], &after[1]);
    }

    /// A branch, under its condition.
    fn branch(&mut self, items: &[Item], claim: &Claim) -> Vec<Node> {
        self.branches += 1;
        self.conditions.push((self.branches, claim.clone()));
        let nodes = if has_layout(items) { self.block(items) } else { self.quietly(items) };
        self.conditions.pop();
        nodes
    }

    fn either(&mut self, alternatives: &[Vec<Item>], nodes: &mut Vec<Node>) {
        let before = self.environment.clone();
        let unknown = Claim::Unknown("it holds in one of several alternatives only");
        let mut found = Vec::new();
        let mut after: Option<Environment> = None;
        for alternative in alternatives {
            self.environment = before.clone();
            found.push(self.branch(alternative, &unknown));
            let end = std::mem::take(&mut self.environment);
            after = Some(match after {
                Some(others) => Environment::merged(&Claim::Unknown("it depends on the alternative"), &others, &end),
                None => end,
            });
        }
        self.environment = after.unwrap_or(before);
        nodes.push(Node::Either(found));
    }

    // Loops.

    fn repeated(&mut self, inner: &Loop, span: Span, nodes: &mut Vec<Node>) {
        if !has_layout(&inner.body) && !has_layout(&inner.separator) {
            return self.pure(inner, span);
        }
        if self.line.parts.is_empty() && inner.separator.is_empty() && ends_line(&inner.body) {
            return self.lines(inner, span, nodes);
        }
        self.inline(inner, span);
    }

    /// A loop that reads nothing: it computes, or it asserts.
    fn pure(&mut self, inner: &Loop, span: Span) {
        let Header::Times(count) = &inner.header else {
            for name in inner.body.iter().flat_map(writes) {
                self.forget(name);
            }
            if asserts(&inner.body) {
                self.lose(span, "a loop with a condition that reads nothing", "what it asserts is left out");
            }
            return;
        };
        let count = self.term(count);
        let id = self.open_loop(inner, Count::Times(count), LoopKind::Pure, span);
        self.inside(id, inner, |this| {
            this.quietly(&inner.body);
        });
    }

    /// A loop over whole lines.
    fn lines(&mut self, inner: &Loop, span: Span, nodes: &mut Vec<Node>) {
        let count = match &inner.header {
            Header::Times(count) => Count::Times(self.term(count)),
            Header::While(test) if until_end(test) => Count::Until(0, None, None),
            Header::While(_) => {
                self.lose(span, "how often this is repeated", "any number of times up to the end of the input");
                Count::Until(0, None, None)
            }
        };
        let count = match count {
            Count::Times(term) if term.no_size().is_some() => {
                let why = term.no_size().unwrap_or_default();
                self.lose(span, why, "any number of times up to the end of the input");
                Count::Until(0, None, None)
            }
            count => count,
        };
        let none = match &count {
            Count::Times(term) => self.draft.hull(term).0.is_none_or(|least| least <= 0),
            Count::Until(..) => true,
        };
        if inner.took_newline && none {
            self.lose(span, "an empty line where there is no repetition", "no line is expected there");
        }
        let id = self.open_loop(inner, count, LoopKind::Block, span);
        let mut body = Vec::new();
        self.inside(id, inner, |this| body = this.block(&inner.body));
        nodes.push(Node::Block(id, body));
    }

    pub(super) fn open_loop(&mut self, inner: &Loop, count: Count, kind: LoopKind, span: Span) -> LoopId {
        let id = LoopId(self.draft.loops.len());
        let counter = inner.counter.as_ref().map(|v| v.name.clone());
        self.draft.loops.push(DraftLoop { counter, count, kind, outer: self.open.clone(), span });
        id
    }

    /// Runs the body of a loop once, for all its repetitions.
    pub(super) fn inside(&mut self, id: LoopId, inner: &Loop, body: impl FnOnce(&mut Self)) {
        let before = self.enter(id, inner);
        let rules = self.draft.rules.len();
        self.open.push(id);
        if let Some(counter) = &inner.counter {
            self.environment.set(&counter.name, Vec::new(), Term::Index(id), &self.open);
        }
        body(self);
        self.open.pop();
        self.leave(id, &before, rules);
        if let Some(counter) = &inner.counter {
            let count = self.draft.times(id).cloned().unwrap_or(Term::Repetitions(id));
            self.environment.set(&counter.name, Vec::new(), count, &self.open);
        }
    }

    // Variables.

    fn set(&mut self, variable: &Variable, value: &Expr) {
        let value = self.term(value);
        let indices: Vec<Term> = variable.indices.iter().map(|i| self.term(i)).collect();
        self.environment.set(&variable.name, indices, value, &self.open);
    }

    pub(super) fn forget(&mut self, name: &str) {
        let unknown = Term::Unknown("the value of this variable is not known");
        self.environment.unset(name);
        self.environment.set(name, Vec::new(), unknown, &self.open);
    }

    // Rules.

    fn assert(&mut self, test: &Test, span: Span) {
        let claim = self.claim(test);
        self.rule(claim, span);
    }

    /// Notes what holds here.
    pub(super) fn rule(&mut self, claim: Claim, span: Span) {
        match claim {
            Claim::All(parts) => parts.into_iter().for_each(|part| self.rule(part, span)),
            claim if claim.holds() == Some(true) || self.bounds_repetitions(&claim) => {}
            claim => {
                let (loops, conditions) = (self.open.clone(), self.conditions.clone());
                self.draft.rules.push(Rule { claim, loops, conditions, span, from: 1 });
            }
        }
    }
}

impl Translator<'_> {
    /// How often a loop without a count runs is said where it begins.
    fn bounds_repetitions(&mut self, claim: &Claim) -> bool {
        let Claim::Compare(sign, left, right) = claim else { return false };
        let found = match (left, right.number(), left.number(), right) {
            (Term::Repetitions(id), Some(number), ..) => Some((*id, *sign, number)),
            (_, _, Some(number), Term::Repetitions(id)) => Some((*id, mirrored(sign), number)),
            _ => None,
        };
        let Some((id, sign, number)) = found.filter(|_| self.conditions.is_empty()) else { return false };
        let Count::Until(least, most, _) = &mut self.draft.loops[id.0].count else { return false };
        let below = |limit: i128| Some(most.map_or(limit, |m| m.min(limit)));
        match sign {
            "<=" => *most = below(number),
            "<" => *most = below(number - 1),
            ">=" => *least = number.max(*least),
            ">" => *least = number.saturating_add(1).max(*least),
            "=" => (*least, *most) = (number, Some(number)),
            _ => return false,
        }
        true
    }
}

/// The variables that items take all values from.
fn emptied(items: &[Item]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for item in items {
        match &item.kind {
            ItemKind::Unset(names) => found.extend(names.iter().cloned()),
            ItemKind::Loop(inner) => found.extend(emptied(&inner.body)),
            ItemKind::If { then, otherwise, .. } => found.extend(emptied(then).into_iter().chain(emptied(otherwise))),
            ItemKind::Either(alternatives) => found.extend(alternatives.iter().flat_map(|a| emptied(a))),
            _ => {}
        }
    }
    found
}

/// Whether there is an assertion among items.
fn asserts(items: &[Item]) -> bool {
    items.iter().any(|item| match &item.kind {
        ItemKind::Assert(_) => true,
        ItemKind::Loop(inner) => asserts(&inner.body),
        ItemKind::If { then, otherwise, .. } => asserts(then) || asserts(otherwise),
        _ => false,
    })
}

/// `!ISEOF`
pub(super) fn until_end(test: &Test) -> bool {
    matches!(&test.kind, TestKind::Not(inner) if inner.kind == TestKind::AtEnd)
}
