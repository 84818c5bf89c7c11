//! Resolution of field types: letters, words, decimal places, patterns.

use super::expressions::resolve_integer;
use super::name_scope::{NameScope, fields_named};
use crate::language::syntax::{SyntaxFieldKind, SyntaxRule, SyntaxTerm, SyntaxTermKind};
use crate::language::tokenizer::MAX_DECIMALS;
use crate::model::{
    BlockId, Class, Constraint, DecimalPlaces, Expr, Field, FieldKind, Interval, PatternConstraint, TokenPattern,
};
use rebut_diagnostics::{Diagnostic, Span};

/// Resolves the types of fields, and collects what is wrong with them.
pub(super) struct FieldKindResolver<'a> {
    pub(super) scope: &'a mut NameScope,
    pub(super) problems: &'a mut Vec<Diagnostic>,
    /// Patterns of fields, until the fields are declared.
    pub(super) patterns: Vec<(String, TokenPattern, Span)>,
}

impl FieldKindResolver<'_> {
    /// Collects the types of all fields before anything else, since they determine how the fields are read. The result
    /// is stored in fields without a block.
    pub(super) fn resolve_field_kinds(&mut self, rules: &[SyntaxRule]) {
        for rule in rules {
            let SyntaxRule::FieldKind { names, of } = rule else { continue };
            let resolved = match self.resolve_kind(of) {
                Ok(resolved) => resolved,
                Err(problem) => {
                    self.problems.push(problem);
                    (placeholder_kind(of), Interval::NATURAL)
                }
            };
            for term in names {
                match &term.kind {
                    SyntaxTermKind::Name(name) => self.declare_kind(name, term.span, resolved.clone(), of),
                    _ => self.problems.push(
                        Diagnostic::error("over-what", term.span, "only a field can be declared like this")
                            .with_caret("expected the name of a field"),
                    ),
                }
            }
        }
    }

    /// Resolves a type, and the lengths that it allows.
    fn resolve_kind(&mut self, of: &SyntaxFieldKind) -> Result<(FieldKind, Interval), Diagnostic> {
        match of {
            SyntaxFieldKind::Letters(letters, span) => {
                Ok((FieldKind::Text(parse_alphabet(letters, *span)?), Interval::NATURAL))
            }
            SyntaxFieldKind::Words(words) => Ok((FieldKind::Words(check_words(words)?), Interval::NATURAL)),
            SyntaxFieldKind::Real(decimals) => {
                let (least, most) =
                    (self.resolve_decimal_places(&decimals.0)?, self.resolve_decimal_places(&decimals.1)?);
                if least > most {
                    let span = decimals.0.span.to(decimals.1.span);
                    return Err(Diagnostic::error("bad-decimals", span, "this range is empty")
                        .with_caret(format!("{least} is more than {most}")));
                }
                Ok((FieldKind::Real(DecimalPlaces { min: least, max: most }), Interval::NATURAL))
            }
            SyntaxFieldKind::Pattern(text, span) => {
                let pattern = compile_pattern(text, *span)?;
                let most = pattern.max_length().map_or(Interval::NATURAL.hi, |most| most as i128);
                Ok((FieldKind::Text(pattern.alphabet().to_vec()), Interval::new(pattern.min_length() as i128, most)))
            }
        }
    }

    fn resolve_decimal_places(&self, term: &SyntaxTerm) -> Result<u32, Diagnostic> {
        match resolve_integer(self.scope, term)? {
            Expr::Constant(number) if (0..=i128::from(MAX_DECIMALS)).contains(&number) => Ok(number as u32),
            _ => Err(Diagnostic::error("bad-decimals", term.span, "this is not a valid number of digits")
                .with_caret(format!("expected a constant from 0 to {MAX_DECIMALS}"))),
        }
    }

    fn declare_kind(&mut self, name: &str, span: Span, (kind, length): (FieldKind, Interval), of: &SyntaxFieldKind) {
        if let Some(before) = self.scope.format.field_named(name) {
            let earlier = self.scope.format.field(before).span;
            self.problems.push(
                Diagnostic::error("over-twice", span, format!("the contents of `{name}` are declared twice"))
                    .with_caret("declared again here")
                    .with_label(earlier, "first declared here"),
            );
            return;
        }
        if let SyntaxFieldKind::Pattern(text, _) = of
            && let Ok(pattern) = TokenPattern::new(text)
        {
            self.patterns.push((name.to_owned(), pattern, span));
        }
        let range = match &kind {
            FieldKind::Text(letters) => Interval::new(
                i128::from(letters.iter().copied().min().unwrap_or(0)),
                i128::from(letters.iter().copied().max().unwrap_or(0)),
            ),
            FieldKind::Words(words) => Interval::new(0, words.len() as i128 - 1),
            FieldKind::Number | FieldKind::Real(_) => Interval::ALL,
        };
        self.scope.format.fields.push(Field {
            name: name.to_owned(),
            span,
            block: BlockId(usize::MAX),
            slot: 0,
            kind,
            dimensions: Vec::new(),
            range,
            length,
            is_bare_text: false,
            announced_length: None,
        });
    }
}

/// Adds the constraints of patterns, once their fields are declared.
pub(super) fn push_pattern_constraints(scope: &mut NameScope, patterns: Vec<(String, TokenPattern, Span)>) {
    for (name, pattern, span) in patterns {
        for field in fields_named(scope, &name) {
            let home = scope.format.field(field).block;
            let rule = PatternConstraint { field, pattern: pattern.clone() }.into();
            scope.format.constraints.push(Constraint { rule, home_block: home, span, class: Class::Structural });
        }
    }
}

/// Returns a substitute for an invalid type, so that no errors follow from it.
fn placeholder_kind(of: &SyntaxFieldKind) -> FieldKind {
    match of {
        SyntaxFieldKind::Letters(..) | SyntaxFieldKind::Pattern(..) => FieldKind::Text(vec![b'a']),
        SyntaxFieldKind::Words(_) => FieldKind::Words(vec![b"a".to_vec()]),
        SyntaxFieldKind::Real(_) => FieldKind::Real(DecimalPlaces { min: 0, max: MAX_DECIMALS }),
    }
}

fn compile_pattern(text: &str, span: Span) -> Result<TokenPattern, Diagnostic> {
    TokenPattern::new(text).map_err(|why| {
        Diagnostic::error("bad-pattern", span, format!("invalid regular expression: {why}"))
            .with_caret("expected a regular expression of visible ASCII characters")
    })
}

fn check_words(words: &[(Vec<u8>, Span)]) -> Result<Vec<Vec<u8>>, Diagnostic> {
    let mut found: Vec<Vec<u8>> = Vec::new();
    for (word, span) in words {
        let why = match word.iter().find(|b| !b.is_ascii_graphic()) {
            None if word.is_empty() => Some("a token has at least one character"),
            None => None,
            Some(b' ') => Some("a space separates tokens, so a word cannot contain one"),
            Some(_) => Some("not a visible ASCII character"),
        };
        if let Some(why) = why {
            return Err(Diagnostic::error("bad-literal", *span, "this cannot be a word of the input").with_caret(why));
        }
        if found.contains(word) {
            return Err(Diagnostic::error("word-twice", *span, "this word is listed twice").with_caret("listed before"));
        }
        found.push(word.clone());
    }
    Ok(found)
}

/// Parses the letters of `over`: single characters and ranges such as `a-z`. A `-` at either end is literal, and so is
/// a `-` or a backslash after a backslash.
fn parse_alphabet(text: &[u8], span: Span) -> Result<Vec<u8>, Diagnostic> {
    let mut letters: Vec<u8> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (first, length) = alphabet_letter(&text[at..]);
        at += length;
        let mut last = first;
        if length == 1 && text.get(at) == Some(&b'-') && at + 1 < text.len() {
            let (end, length) = alphabet_letter(&text[at + 1..]);
            last = end;
            at += 1 + length;
        }
        if last < first {
            return Err(Diagnostic::error("letter-range", span, "this range of letters is empty")
                .with_caret(format!("`{}` comes after `{}`", first as char, last as char)));
        }
        letters.extend((first..=last).filter(|l| !letters.contains(l)).collect::<Vec<u8>>());
    }
    if letters.is_empty() {
        return Err(
            Diagnostic::error("no-letters", span, "no letters are given").with_caret("expected some, as in \"a-z\"")
        );
    }
    match letters.iter().find(|l| !l.is_ascii_graphic() && **l != b' ') {
        Some(_) => Err(Diagnostic::error("bad-letter", span, "letters are visible ASCII characters")
            .with_caret("white space and other characters separate tokens or take several bytes")),
        None => Ok(letters),
    }
}

/// Returns the letter at the start of a text, and the number of bytes that it takes.
fn alphabet_letter(text: &[u8]) -> (u8, usize) {
    match text {
        [b'\\', letter @ (b'-' | b'\\'), ..] => (*letter, 2),
        _ => (text[0], 1),
    }
}
