//! Parts without a space between them, of which the first goes on into the next.

use super::pattern;
use crate::diagnostic::Diagnostic;
use crate::format::model::{FieldId, Format, Item, Kind, Part, Token};
use crate::format::{Stated, elements};

/// Notes fields that go on into what is glued to them.
pub(super) fn runs_on(format: &Format, problems: &mut Vec<Diagnostic>) {
    for item in format.blocks.iter().flat_map(|block| &block.items) {
        let Item::Line(parts) = item else { continue };
        for (i, part) in parts.iter().enumerate() {
            let Token::Field(field) = part.token else { continue };
            let glued: Vec<&Part> = parts[i + 1..].iter().take_while(|part| part.glued).collect();
            if let Some(what) = taken_too_far(format, field, &glued) {
                problems.push(problem(format, field, what, &glued));
            }
        }
    }
}

fn problem(format: &Format, field: FieldId, what: &str, glued: &[&Part]) -> Diagnostic {
    let info = format.field(field);
    let next = match glued.first().map(|part| &part.token) {
        Some(Token::Field(next)) => format!("`{}`", format.field(*next).name),
        Some(Token::Literal(text)) => format!("`{}`", String::from_utf8_lossy(text)),
        None => String::new(),
    };
    let message = format!("it cannot be seen where `{}` ends and {next} begins", info.name);
    let help = match info.kind {
        Kind::Text(_) if info.is_free() => {
            format!("put a space between them; or give the number of its characters: `{}[n]`", info.name)
        }
        _ => "put a space between them, or something that it cannot go on with".to_owned(),
    };
    Diagnostic::error("glued", info.span, message).caret(format!("{what} go on into {next}")).help(help)
}

/// What of a field can go on with what is glued to it, if anything can.
fn taken_too_far(format: &Format, field: FieldId, glued: &[&Part]) -> Option<&'static str> {
    let next = starts(format, glued);
    let info = format.field(field);
    match &info.kind {
        Kind::Number => next.any(|b| b.is_ascii_digit()).then_some("its digits"),
        Kind::Real(decimals) => {
            let point = decimals.least == 0;
            next.any(|b| b.is_ascii_digit() || point && b == b'.').then_some("its digits")
        }
        Kind::Text(letters) => (info.is_free() && next.any(|b| letters.contains(&b))).then_some("its letters"),
        Kind::Words(words) => {
            let longer = |word: &Vec<u8>| {
                words
                    .iter()
                    .filter_map(|other| other.strip_prefix(word.as_slice()))
                    .any(|rest| meets(rest, glued, &next))
            };
            words.iter().any(longer).then_some("its words")
        }
    }
}

/// Whether the rest of a longer word can be what follows the shorter one.
fn meets(rest: &[u8], glued: &[&Part], next: &Starts) -> bool {
    let Some(first) = rest.first() else { return false };
    match glued.first().map(|part| &part.token) {
        Some(Token::Literal(text)) => text.starts_with(rest) || rest.starts_with(text),
        _ => next.0[usize::from(*first)],
    }
}

/// The characters that something can begin with.
struct Starts([bool; 256]);

impl Starts {
    fn any(&self, wanted: impl Fn(u8) -> bool) -> bool {
        (0..=u8::MAX).any(|b| self.0[usize::from(b)] && wanted(b))
    }

    fn add(&mut self, bytes: impl IntoIterator<Item = u8>) {
        bytes.into_iter().for_each(|b| self.0[usize::from(b)] = true);
    }
}

/// What parts that are glued together can begin with: those behind an empty one count, too.
fn starts(format: &Format, parts: &[&Part]) -> Starts {
    let mut found = Starts([false; 256]);
    for part in parts {
        match &part.token {
            Token::Literal(text) => found.add(text.first().copied()),
            Token::Field(field) => add_starts(format, *field, &mut found),
        }
        let empty = match &part.token {
            Token::Literal(text) => text.is_empty(),
            Token::Field(field) => can_be_empty(format, *field),
        };
        if !empty {
            break;
        }
    }
    found
}

fn add_starts(format: &Format, field: FieldId, found: &mut Starts) {
    let info = format.field(field);
    match &info.kind {
        Kind::Number | Kind::Real(_) => {
            if info.range.hi >= 0 || matches!(info.kind, Kind::Real(_)) {
                found.add(b'0'..=b'9');
            }
            if info.range.lo < 0 {
                found.add([b'-']);
            }
        }
        Kind::Words(words) => found.add(words.iter().filter_map(|word| word.first().copied())),
        Kind::Text(letters) => match pattern(format, field) {
            Some(pattern) => found.add(pattern.first_letters()),
            None => found.add(letters.iter().copied()),
        },
    }
}

/// Whether a field can stand there without a single character.
fn can_be_empty(format: &Format, field: FieldId) -> bool {
    let info = format.field(field);
    elements(field, info.dimensions.len(), &Stated(format)).lo < 1
}
