//! Loops within a line: arrays, and texts of one character after the other.

use super::draft::{Count, FieldKind, LoopKind, Size, What};
use super::items::{Header, Item, ItemKind, Loop};
use super::letters::Letters;
use super::syntax::{Test, TestKind, Variable};
use super::term::Term;
use super::translate::Translator;
use crate::diagnostic::Span;

/// What stands in a line's loop.
struct Shape<'i> {
    /// A blank before each token, or behind each.
    leading: bool,
    trailing: bool,
    /// A blank between the repetitions.
    separated: bool,
    tokens: Vec<&'i Item>,
}

impl Translator<'_> {
    /// A loop within a line.
    pub(super) fn inline(&mut self, inner: &Loop, span: Span) {
        let Some(inner) = flattened(inner) else {
            return self.lose_inline(inner, span, "a loop within a loop on one line");
        };
        let Some(shape) = shape(&inner) else {
            return self.lose_inline(&inner, span, "what is repeated on this line is no list");
        };
        let count = match &inner.header {
            Header::Times(count) => Count::Times(self.term(count)),
            Header::While(test) if to_line_end(test) || shape.leading && before_blank(test) => {
                Count::Until(0, None, None)
            }
            Header::While(_) => return self.lose_inline(&inner, span, "how often this is repeated on its line"),
        };
        if let Count::Times(term) = &count
            && let Some(why) = term.no_size()
        {
            return self.lose_inline(&inner, span, why);
        }
        if !shape.separated && !shape.leading && !shape.trailing {
            return self.side_by_side(&inner, &shape, count, span);
        }
        match (count, shape.tokens.len()) {
            (Count::Times(count), 2..) => self.group(&inner, &shape, count, span),
            (count, _) => self.list(&inner, &shape, count, span),
        }
    }

    /// Several tokens that take turns: `(x y)[n]`.
    fn group(&mut self, inner: &Loop, shape: &Shape<'_>, count: Term, span: Span) {
        if shape.leading {
            self.blank();
        }
        let layout: Vec<&Item> = inner.body.iter().filter(|item| item.is_layout()).collect();
        let around: Vec<&Item> = [layout.first().filter(|_| shape.leading), layout.last().filter(|_| shape.trailing)]
            .into_iter()
            .flatten()
            .copied()
            .collect();
        let id = self.open_loop(inner, Count::Times(count), LoopKind::Block, span);
        let before = std::mem::take(&mut self.line);
        self.inside(id, inner, |this| {
            for item in inner.body.iter().filter(|item| !around.iter().any(|blank| std::ptr::eq(*blank, *item))) {
                this.quietly(std::slice::from_ref(item));
            }
        });
        let line = std::mem::replace(&mut self.line, before);
        if let Some((span, why)) = line.broken {
            self.break_line(span, why);
        }
        self.push(What::Group(id, line.parts), span);
        if shape.trailing {
            self.blank();
        }
    }

    fn lose_inline(&mut self, inner: &Loop, span: Span, why: &str) {
        for name in inner.body.iter().flat_map(super::structure::writes) {
            self.forget(name);
        }
        self.break_line(span, why);
    }

    /// Numbers, words or texts with blanks between them.
    fn list(&mut self, inner: &Loop, shape: &Shape<'_>, count: Count, span: Span) {
        let number = |item: &&Item| matches!(item.kind, ItemKind::Integer { .. } | ItemKind::Float { .. });
        let alone = shape.tokens.len() == 1 && matches!(count, Count::Times(_));
        if !shape.tokens.iter().all(number) && !alone {
            return self.lose_inline(inner, span, "several texts on one line");
        }
        if shape.leading {
            self.blank();
        }
        let count = match count {
            Count::Times(term) if shape.tokens.len() > 1 => {
                Count::Times(Term::binary('*', Term::Number(shape.tokens.len() as i128), term))
            }
            other => other,
        };
        let id = self.open_loop(inner, count, LoopKind::Inline, span);
        let mut found = None;
        self.inside(id, inner, |this| {
            found = this.elements(inner, shape, span);
        });
        if let Some(field) = found {
            self.push(What::Field(field), span);
        }
        if shape.trailing {
            self.blank();
        }
    }

    /// The field of a list's elements, and what else its loop does.
    fn elements(&mut self, inner: &Loop, shape: &Shape<'_>, span: Span) -> Option<super::term::FieldId> {
        let several = shape.tokens.len() > 1;
        let mut field = None;
        for item in &inner.body {
            if !item.is_layout() {
                self.quietly(std::slice::from_ref(item));
                continue;
            }
            if field.is_some() || !shape.tokens.contains(&item) {
                continue;
            }
            let (mut kind, name, _) = self.token(item)?;
            if several {
                kind = self.together(kind, shape, span);
            }
            let name = name.filter(|_| !several);
            let letters = match &kind {
                FieldKind::Text { letters, .. } => Some(letters.has(b' ')),
                FieldKind::Pattern { .. } => Some(false),
                _ => None,
            };
            if letters == Some(true) {
                self.break_line(span, "several texts with blanks in them on one line");
            }
            let id = self.field(kind, name.as_ref(), "a", item.span);
            self.draft.fields[id.0].is_row = letters.is_some();
            field = Some(id);
        }
        for name in shape.tokens.iter().filter(|_| several).flat_map(|t| super::structure::writes(t)) {
            self.forget(name);
        }
        field
    }

    /// Numbers of several kinds that take turns in one list: the bounds hold for all of them.
    fn together(&mut self, first: FieldKind, shape: &Shape<'_>, span: Span) -> FieldKind {
        let mut kinds = Vec::new();
        for token in &shape.tokens[1..] {
            kinds.extend(self.token(token).map(|(kind, ..)| kind));
        }
        let mut found = first;
        let mut differ = false;
        for kind in kinds {
            match (&mut found, kind) {
                (FieldKind::Number { least, most }, FieldKind::Number { least: low, most: high }) => {
                    if *least == low && *most == high {
                        continue;
                    }
                    differ = true;
                    let hulls = (self.draft.hull(least).0, self.draft.hull(&low).0);
                    let tops = (self.draft.hull(most).1, self.draft.hull(&high).1);
                    *least = bound(hulls, i128::min);
                    *most = bound(tops, i128::max);
                }
                _ => differ = true,
            }
        }
        if differ {
            self.lose(span, "different numbers that take turns on one line", "all are within the bounds of any");
        }
        found
    }

    /// Characters with nothing between them.
    fn side_by_side(&mut self, inner: &Loop, shape: &Shape<'_>, count: Count, span: Span) {
        let letters = match shape.tokens.as_slice() {
            [Item { kind: ItemKind::Integer { least, most, .. }, .. }] => {
                let digit = |term: Term| term.number().and_then(|n| u8::try_from(n).ok()).filter(|n| *n <= 9);
                let (least, most) = (self.term(least), self.term(most));
                digit(least).zip(digit(most)).map(|(least, most)| (Letters::range(b'0' + least, b'0' + most), 1))
            }
            [Item { kind: ItemKind::Token(pattern, _), .. }] => match pattern.lengths() {
                (least, Some(most)) if least == most => {
                    pattern.run().map(|l| (l.within(&Letters::visible()), i128::from(least)))
                }
                _ => None,
            },
            _ => None,
        };
        let Some((letters, each)) = letters.filter(|(letters, _)| !letters.is_empty()) else {
            return self.lose_inline(inner, span, "what is repeated on this line has nothing between its parts");
        };
        let size = match count {
            Count::Times(term) if each == 1 => Size::Exactly(term),
            Count::Times(term) => Size::Exactly(Term::binary('*', term, Term::Number(each))),
            Count::Until(..) => Size::Between(0, None),
        };
        let name = super::structure::writes(shape.tokens[0]).first().map(|name| Variable {
            name: (*name).to_owned(),
            indices: Vec::new(),
            span,
        });
        let field = self.field(FieldKind::Text { letters, size }, name.as_ref(), "s", span);
        self.push(What::Field(field), span);
        for name in inner.body.iter().flat_map(super::structure::writes) {
            self.forget(name);
        }
        let id = self.open_loop(inner, Count::Until(0, None, None), LoopKind::Pure, span);
        self.inside(id, inner, |this| {
            inner.body.iter().filter(|i| !i.is_layout()).for_each(|item| {
                this.quietly(std::slice::from_ref(item));
            });
        });
    }
}

fn bound(pair: (Option<i128>, Option<i128>), pick: impl Fn(i128, i128) -> i128) -> Term {
    match pair {
        (Some(a), Some(b)) => Term::Number(pick(a, b)),
        _ => Term::Unknown("its bounds are not known"),
    }
}

/// What a loop repeats: tokens with a blank between each two.
fn shape(inner: &Loop) -> Option<Shape<'_>> {
    let items: Vec<&Item> = inner.body.iter().filter(|i| i.is_layout()).collect();
    let blank = |item: Option<&&Item>| item.is_some_and(|i| i.kind == ItemKind::Space);
    let leading = blank(items.first());
    let trailing = !leading && items.len() > 1 && blank(items.last());
    let middle = &items[usize::from(leading)..items.len() - usize::from(trailing)];
    let separated = match inner.separator.as_slice() {
        [] => false,
        [Item { kind: ItemKind::Space, .. }] if !leading && !trailing => true,
        _ => return None,
    };
    let mut tokens = Vec::new();
    for (i, item) in middle.iter().enumerate() {
        match (&item.kind, i % 2) {
            (ItemKind::Integer { .. } | ItemKind::Float { .. } | ItemKind::Token(..) | ItemKind::Literal(_), 0) => {
                tokens.push(*item);
            }
            (ItemKind::Space, 1) => {}
            _ => return None,
        }
    }
    let is_field = |item: &&Item| !matches!(item.kind, ItemKind::Literal(_));
    (tokens.iter().any(is_field) && middle.len() % 2 == 1).then_some(Shape { leading, trailing, separated, tokens })
}

/// A loop of a loop with the same separator is one longer loop.
fn flattened(inner: &Loop) -> Option<Loop> {
    let mut layout = inner.body.iter().filter(|i| i.is_layout());
    let (Some(Item { kind: ItemKind::Loop(nested), span }), None) = (layout.next(), layout.next()) else {
        let simple = inner.body.iter().all(|i| !matches!(i.kind, ItemKind::Loop(_)) || !i.is_layout());
        return simple.then(|| inner.clone());
    };
    let (Header::Times(outer), Header::Times(count)) = (&inner.header, &nested.header) else { return None };
    if inner.separator.first().map(|i| &i.kind) != nested.separator.first().map(|i| &i.kind) || inner.body.len() > 1 {
        return None;
    }
    let product = super::syntax::ExprKind::Binary('*', Box::new(outer.clone()), Box::new(count.clone()));
    let header = Header::Times(super::syntax::Expr { kind: product, span: *span });
    flattened(&Loop {
        counter: None,
        header,
        separator: nested.separator.clone(),
        body: nested.body.clone(),
        took_newline: false,
    })
}

/// `!MATCH("\n")`, also where the end of the input is asked for, too.
fn to_line_end(test: &Test) -> bool {
    let ends = |test: &Test| matches!(&test.kind, TestKind::Next(letters) if is_text(letters, b'\n'));
    let last = |test: &Test| test.kind == TestKind::AtEnd;
    match &test.kind {
        TestKind::Not(inner) => match &inner.kind {
            TestKind::Or(left, right) => ends(left) && last(right) || last(left) && ends(right),
            _ => ends(inner),
        },
        _ => false,
    }
}

/// `MATCH(" ")`
fn before_blank(test: &Test) -> bool {
    matches!(&test.kind, TestKind::Next(letters) if is_text(letters, b' '))
}

fn is_text(expr: &super::syntax::Expr, letter: u8) -> bool {
    matches!(&expr.kind, super::syntax::ExprKind::Text(text) if text.contains(&letter))
}
