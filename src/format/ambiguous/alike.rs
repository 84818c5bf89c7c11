//! Alternatives that look alike. Reading takes the first that fits, so one that always fits another above it is never
//! reached; and where only some of it does, that is not what was meant either, unless a fixed word stands there.

use super::{pattern, place_of};
use crate::diagnostic::Diagnostic;
use crate::format::model::{BlockId, Dimension, Field, FieldId, Format, Item, Kind, Part, Token};
use crate::format::{Stated, elements};

/// How much of a later alternative fits an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fits {
    /// Nothing; or it is not known.
    Nothing,
    /// What happens to be so.
    Part,
    /// All that it can be.
    All,
}

/// Notes alternatives that fit one above them.
pub(super) fn look_alike(format: &Format, problems: &mut Vec<Diagnostic>) {
    for item in format.blocks.iter().flat_map(|block| &block.items) {
        let Item::Either(children) = item else { continue };
        for (i, later) in children.iter().enumerate() {
            let fits = |earlier: &&BlockId| blocks(format, **earlier, *later) > Fits::Nothing;
            if let Some(earlier) = children[..i].iter().find(fits) {
                problems.push(problem(format, *earlier, *later));
            }
        }
    }
}

fn problem(format: &Format, earlier: BlockId, later: BlockId) -> Diagnostic {
    let (above, span) = (place_of(format, earlier), place_of(format, later));
    let problem = match blocks(format, earlier, later) {
        Fits::All => Diagnostic::error("alike", span, "this alternative can never be told from one above it")
            .caret("whatever stands here fits the other")
            .help("let a fixed word or number begin each of them; or put this one above it, if it allows less"),
        _ => Diagnostic::warning("alike", span, "some of this alternative cannot be told from one above it")
            .caret("what fits both is read as the other")
            .help("let a fixed word or number begin each of them"),
    };
    if above == span { problem } else { problem.label(above, "the first that fits is taken") }
}

/// How much of the later of two alternatives the reader takes for the earlier: line by line, as long as both are lines
/// whose parts can be compared.
fn blocks(format: &Format, earlier: BlockId, later: BlockId) -> Fits {
    let (earlier, later) = (&format.block(earlier).items, &format.block(later).items);
    let on_a_line = |item: &Item| matches!(item, Item::Block(child) if format.block(*child).inline.is_some());
    if earlier.len() > later.len() || earlier.iter().chain(later).any(on_a_line) {
        return Fits::Nothing;
    }
    let pairs = earlier.iter().zip(later).map(|pair| match pair {
        (Item::Line(one), Item::Line(other)) => lines(format, one, other),
        _ => Fits::Nothing,
    });
    pairs.min().unwrap_or(Fits::Nothing)
}

fn lines(format: &Format, earlier: &[Part], later: &[Part]) -> Fits {
    let same_form = earlier.len() == later.len() && earlier.iter().zip(later).all(|(a, b)| a.glued == b.glued);
    if !same_form {
        return Fits::Nothing;
    }
    let fits = |(one, other): (&Part, &Part)| match (&one.token, &other.token) {
        (Token::Literal(one), Token::Literal(other)) if one == other => Fits::All,
        // A fixed word above what may happen to be that word is meant to go first.
        (Token::Literal(_), _) => Fits::Nothing,
        (Token::Field(field), Token::Literal(text)) if can_be(format, *field, text) => Fits::All,
        (Token::Field(_), Token::Literal(_)) => Fits::Nothing,
        (Token::Field(one), Token::Field(other)) => fields(format, *one, *other),
    };
    earlier.iter().zip(later).map(fits).min().unwrap_or(Fits::Nothing)
}

/// Whether a field can be a fixed word.
fn can_be(format: &Format, id: FieldId, text: &[u8]) -> bool {
    let field = format.field(id);
    let number = || std::str::from_utf8(text).ok()?.parse::<i128>().ok();
    match &field.kind {
        Kind::Number if field.is_scalar() => {
            number().is_some_and(|n| field.range.contains(n) && field.number_text(n).as_bytes() == text)
        }
        Kind::Words(words) if field.is_scalar() => words.iter().any(|word| word == text),
        Kind::Text(letters) if field.dimensions.len() == 1 => {
            let length = elements(id, 1, &Stated(format));
            let fits = length.contains(text.len() as i128) && text.iter().all(|b| letters.contains(b));
            fits && pattern(format, id).is_none_or(|pattern| pattern.matches(text))
        }
        _ => false,
    }
}

/// How much of what a later field can be an earlier one can be; only what is certain.
fn fields(format: &Format, earlier: FieldId, later: FieldId) -> Fits {
    let (one, other) = (format.field(earlier), format.field(later));
    if !sizes_agree(one, other) {
        return Fits::Nothing;
    }
    match (&one.kind, &other.kind) {
        (Kind::Number, Kind::Number) => numbers(one, other),
        (Kind::Real(a), Kind::Real(b)) if a == b => numbers(one, other),
        (Kind::Words(words), Kind::Words(others)) => {
            share(others.len(), others.iter().filter(|word| words.contains(word)).count())
        }
        (Kind::Text(letters), Kind::Text(others)) => {
            if pattern(format, earlier).is_some() || pattern(format, later).is_some() {
                return Fits::Nothing;
            }
            let letters = share(others.len(), others.iter().filter(|letter| letters.contains(letter)).count());
            letters.min(lengths(format, earlier, later))
        }
        (Kind::Text(letters), Kind::Number) if pattern(format, earlier).is_none() => {
            share(10, letters.iter().filter(|letter| letter.is_ascii_digit()).count()).min(Fits::Part)
        }
        _ => Fits::Nothing,
    }
}

/// Whether two fields stand for the same number of tokens.
fn sizes_agree(one: &Field, other: &Field) -> bool {
    let outer = |field: &Field| {
        let inner = usize::from(field.letters().is_some());
        field.dimensions.len().saturating_sub(inner)
    };
    let (ranks, rank) = (outer(one), outer(other));
    ranks == rank && one.dimensions[..ranks] == other.dimensions[..rank]
}

/// Single numbers are held against their ranges when they are read; those of arrays are not.
fn numbers(one: &Field, other: &Field) -> Fits {
    if !one.is_scalar() || one.range.lo <= other.range.lo && other.range.hi <= one.range.hi {
        Fits::All
    } else if one.range.intersect(other.range).is_empty() {
        Fits::Nothing
    } else {
        Fits::Part
    }
}

fn lengths(format: &Format, earlier: FieldId, later: FieldId) -> Fits {
    let last = |id: FieldId| format.field(id).dimensions.last();
    match (last(earlier), last(later)) {
        // A length that nothing announces is not looked at when it is read.
        (Some(Dimension::Free), _) => Fits::All,
        (one, other) if one == other => Fits::All,
        _ => Fits::Part,
    }
}

/// So many of all there are.
fn share(all: usize, many: usize) -> Fits {
    match many {
        0 => Fits::Nothing,
        _ if many == all => Fits::All,
        _ => Fits::Part,
    }
}
