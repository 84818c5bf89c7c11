//! What fields are made of: letters, words, digits after a point, patterns.

use super::Resolver;
use crate::diagnostic::{Diagnostic, Span};
use crate::format::expr::Expr;
use crate::format::interval::Interval;
use crate::format::model::{BlockId, Class, Constraint, Decimals, Field, Kind};
use crate::format::pattern::Pattern;
use crate::format::rule::Rule;
use crate::format::syntax::{Term, TermKind, WrittenKind, WrittenRule};
use crate::format::token::MOST_DECIMALS;

impl Resolver<'_> {
    /// What a field is made of decides how it is read, wherever that is said; so it is read first, into fields without
    /// a block.
    pub(super) fn kinds(&mut self, rules: &[WrittenRule]) {
        for rule in rules {
            let WrittenRule::Made { names, of } = rule else { continue };
            let made = match self.made(of) {
                Ok(made) => made,
                Err(problem) => {
                    self.problems.push(problem);
                    (instead_of(of), Interval::NATURAL)
                }
            };
            for term in names {
                match &term.kind {
                    TermKind::Name(name) => self.declare(name, term.span, made.clone(), of),
                    _ => self.problems.push(
                        Diagnostic::error("over-what", term.span, "this says what a field is made of")
                            .caret("expected the name of a field"),
                    ),
                }
            }
        }
    }

    /// The kind, and the lengths that it allows.
    fn made(&mut self, of: &WrittenKind) -> Result<(Kind, Interval), Diagnostic> {
        match of {
            WrittenKind::Letters(letters, span) => Ok((Kind::Text(alphabet(letters, *span)?), Interval::NATURAL)),
            WrittenKind::Words(words) => Ok((Kind::Words(vocabulary(words)?), Interval::NATURAL)),
            WrittenKind::Real(decimals) => {
                let (least, most) = (self.decimals(&decimals.0)?, self.decimals(&decimals.1)?);
                if least > most {
                    let span = decimals.0.span.to(decimals.1.span);
                    return Err(Diagnostic::error("bad-decimals", span, "this range runs backwards")
                        .caret(format!("{least} is more than {most}")));
                }
                Ok((Kind::Real(Decimals { least, most }), Interval::NATURAL))
            }
            WrittenKind::Pattern(text, span) => {
                let pattern = compiled(text, *span)?;
                let most = pattern.most_length().map_or(Interval::NATURAL.hi, |most| most as i128);
                Ok((Kind::Text(pattern.letters().to_vec()), Interval::new(pattern.least_length() as i128, most)))
            }
        }
    }

    fn decimals(&self, term: &Term) -> Result<u32, Diagnostic> {
        match self.whole(term)? {
            Expr::Constant(number) if (0..=i128::from(MOST_DECIMALS)).contains(&number) => Ok(number as u32),
            _ => Err(Diagnostic::error("bad-decimals", term.span, "this is no number of digits")
                .caret(format!("expected a constant from 0 to {MOST_DECIMALS}"))),
        }
    }

    fn declare(&mut self, name: &str, span: Span, (kind, length): (Kind, Interval), of: &WrittenKind) {
        if let Some(before) = self.format.field_named(name) {
            let earlier = self.format.field(before).span;
            self.problems.push(
                Diagnostic::error("over-twice", span, format!("it is said twice what `{name}` is made of"))
                    .caret("said again here")
                    .label(earlier, "first said here"),
            );
            return;
        }
        if let WrittenKind::Pattern(text, _) = of
            && let Ok(pattern) = Pattern::new(text)
        {
            self.patterns.push((name.to_owned(), pattern, span));
        }
        let range = match &kind {
            Kind::Text(letters) => Interval::new(
                i128::from(letters.iter().copied().min().unwrap_or(0)),
                i128::from(letters.iter().copied().max().unwrap_or(0)),
            ),
            Kind::Words(words) => Interval::new(0, words.len() as i128 - 1),
            Kind::Number | Kind::Real(_) => Interval::ALL,
        };
        self.format.fields.push(Field {
            name: name.to_owned(),
            span,
            block: BlockId(usize::MAX),
            slot: 0,
            kind,
            dimensions: Vec::new(),
            range,
            length,
            is_bare_text: false,
            announced: None,
        });
    }

    /// The constraints that patterns are, once their fields are declared.
    pub(super) fn matches(&mut self) {
        for (name, pattern, span) in std::mem::take(&mut self.patterns) {
            for field in self.copies(&name) {
                let home = self.format.field(field).block;
                let rule = Rule::Matches(field, pattern.clone());
                self.format.constraints.push(Constraint { rule, home, span, class: Class::Structural });
            }
        }
    }
}

/// What a field is taken for, so that nothing else need be said of it, if what it is made of is wrong.
fn instead_of(of: &WrittenKind) -> Kind {
    match of {
        WrittenKind::Letters(..) | WrittenKind::Pattern(..) => Kind::Text(vec![b'a']),
        WrittenKind::Words(_) => Kind::Words(vec![b"a".to_vec()]),
        WrittenKind::Real(_) => Kind::Real(Decimals { least: 0, most: MOST_DECIMALS }),
    }
}

fn compiled(text: &str, span: Span) -> Result<Pattern, Diagnostic> {
    Pattern::new(text).map_err(|why| {
        Diagnostic::error("bad-pattern", span, format!("this expression cannot be used: {why}"))
            .caret("expected a regular expression of visible ASCII characters")
    })
}

/// The words of a choice.
fn vocabulary(words: &[(Vec<u8>, Span)]) -> Result<Vec<Vec<u8>>, Diagnostic> {
    let mut found: Vec<Vec<u8>> = Vec::new();
    for (word, span) in words {
        let why = match word.iter().find(|b| !b.is_ascii_graphic()) {
            None if word.is_empty() => Some("a token has at least one character"),
            None => None,
            Some(b' ') => Some("a space separates tokens, so no word has one"),
            Some(_) => Some("not a visible ASCII character"),
        };
        if let Some(why) = why {
            return Err(Diagnostic::error("bad-literal", *span, "this cannot be a word of the input").caret(why));
        }
        if found.contains(word) {
            return Err(Diagnostic::error("word-twice", *span, "this word is listed twice").caret("listed before"));
        }
        found.push(word.clone());
    }
    Ok(found)
}

/// The letters that `over` names: single characters and ranges such as `a-z`. A `-` at either end, or after a
/// backslash, is itself.
fn alphabet(text: &[u8], span: Span) -> Result<Vec<u8>, Diagnostic> {
    let mut letters: Vec<u8> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let escaped = text[at] == b'\\' && text.get(at + 1) == Some(&b'-');
        let first = if escaped { b'-' } else { text[at] };
        at += 1 + usize::from(escaped);
        let mut last = first;
        if !escaped && text.get(at) == Some(&b'-') && at + 1 < text.len() {
            last = text[at + 1];
            at += 2;
        }
        if last < first {
            return Err(Diagnostic::error("letter-range", span, "a range of letters runs backwards")
                .caret(format!("`{}` comes after `{}`", first as char, last as char)));
        }
        letters.extend((first..=last).filter(|l| !letters.contains(l)).collect::<Vec<u8>>());
    }
    if letters.is_empty() {
        return Err(Diagnostic::error("no-letters", span, "there are no letters").caret("expected some, as in \"a-z\""));
    }
    match letters.iter().find(|l| !l.is_ascii_graphic() && **l != b' ') {
        Some(_) => Err(Diagnostic::error("bad-letter", span, "letters are visible ASCII characters")
            .caret("white space and other characters separate tokens or take several bytes")),
        None => Ok(letters),
    }
}
