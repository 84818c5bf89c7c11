//! Detection of alternatives that look alike. Reading takes the first alternative that fits, so a later one is
//! unreachable if it always fits an earlier one. A partial overlap is a mistake too, unless the earlier one starts
//! with a literal.

use super::block_first_span;
use crate::language::{DeclaredRanges, element_count_range};
use crate::model::{BlockId, Field, FieldDimension, FieldId, FieldKind, Format, LayoutItem, LinePart, LineToken};
use rebut_diagnostics::Diagnostic;

/// How much of a later alternative fits an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum AlternativeOverlap {
    /// Nothing, or unknown.
    Nothing,
    /// Some of its inputs.
    Partial,
    /// All of its inputs.
    All,
}

/// Reports alternatives that fit an earlier one.
pub(super) fn report_overlapping_alternatives(format: &Format, problems: &mut Vec<Diagnostic>) {
    for item in format.blocks.iter().flat_map(|block| &block.items) {
        let LayoutItem::Either(children) = item else { continue };
        for (i, later) in children.iter().enumerate() {
            let fits = |earlier: &&BlockId| block_overlap(format, **earlier, *later) > AlternativeOverlap::Nothing;
            if let Some(earlier) = children[..i].iter().find(fits) {
                problems.push(overlap_diagnostic(format, *earlier, *later));
            }
        }
    }
}

fn overlap_diagnostic(format: &Format, earlier: BlockId, later: BlockId) -> Diagnostic {
    let (above, span) = (block_first_span(format, earlier), block_first_span(format, later));
    let problem = match block_overlap(format, earlier, later) {
        AlternativeOverlap::All => Diagnostic::error(
            "alike",
            span,
            "this alternative is never taken: everything in it fits one above",
        )
        .with_caret("every input of this alternative fits the other")
        .with_help(
            "begin each of them with a fixed word or number; or move this one above the other, if it allows less",
        ),
        _ => Diagnostic::warning("alike", span, "some inputs of this alternative also fit one above")
            .with_caret("inputs that fit both are read as the other")
            .with_help("begin each of them with a fixed word or number"),
    };
    if above == span { problem } else { problem.with_label(above, "the first alternative that fits is taken") }
}

/// Returns how much of the later of two alternatives is read as the earlier one: line by line, as long as the parts of
/// both lines are comparable.
fn block_overlap(format: &Format, earlier: BlockId, later: BlockId) -> AlternativeOverlap {
    let (earlier, later) = (&format.block(earlier).items, &format.block(later).items);
    let on_a_line =
        |item: &LayoutItem| matches!(item, LayoutItem::Block(child) if format.block(*child).inline.is_some());
    if earlier.len() > later.len() || earlier.iter().chain(later).any(on_a_line) {
        return AlternativeOverlap::Nothing;
    }
    let pairs = earlier.iter().zip(later).map(|pair| match pair {
        (LayoutItem::Line(one), LayoutItem::Line(other)) => line_overlap(format, one, other),
        _ => AlternativeOverlap::Nothing,
    });
    pairs.min().unwrap_or(AlternativeOverlap::Nothing)
}

fn line_overlap(format: &Format, earlier: &[LinePart], later: &[LinePart]) -> AlternativeOverlap {
    let same_form = earlier.len() == later.len() && earlier.iter().zip(later).all(|(a, b)| a.is_glued == b.is_glued);
    if !same_form {
        return AlternativeOverlap::Nothing;
    }
    let fits = |(one, other): (&LinePart, &LinePart)| match (&one.token, &other.token) {
        (LineToken::Literal(one), LineToken::Literal(other)) if one == other => AlternativeOverlap::All,
        // A literal before a field that can equal it is meant to have precedence.
        (LineToken::Literal(_), _) => AlternativeOverlap::Nothing,
        (LineToken::Field(field), LineToken::Literal(text)) if can_equal_literal(format, *field, text) => {
            AlternativeOverlap::All
        }
        (LineToken::Field(_), LineToken::Literal(_)) => AlternativeOverlap::Nothing,
        (LineToken::Field(one), LineToken::Field(other)) => field_overlap(format, *one, *other),
    };
    earlier.iter().zip(later).map(fits).min().unwrap_or(AlternativeOverlap::Nothing)
}

/// Returns true if a field can equal a literal.
fn can_equal_literal(format: &Format, id: FieldId, text: &[u8]) -> bool {
    let field = format.field(id);
    let number = || std::str::from_utf8(text).ok()?.parse::<i128>().ok();
    match &field.kind {
        FieldKind::Number if field.is_scalar() => {
            number().is_some_and(|n| field.range.contains_value(n) && field.format_number(n).as_bytes() == text)
        }
        FieldKind::Words(words) if field.is_scalar() => words.iter().any(|word| word == text),
        FieldKind::Text(letters) if field.dimensions.len() == 1 => {
            let length = element_count_range(id, 1, &DeclaredRanges(format));
            let fits = length.contains_value(text.len() as i128) && text.iter().all(|b| letters.contains(b));
            fits && format.text_pattern(id).is_none_or(|pattern| pattern.is_match(text))
        }
        _ => false,
    }
}

/// Returns how much of the later field's values fit the earlier field, as far as that is certain.
fn field_overlap(format: &Format, earlier: FieldId, later: FieldId) -> AlternativeOverlap {
    let (one, other) = (format.field(earlier), format.field(later));
    if !have_equal_sizes(one, other) {
        return AlternativeOverlap::Nothing;
    }
    match (&one.kind, &other.kind) {
        (FieldKind::Number, FieldKind::Number) => number_overlap(one, other),
        (FieldKind::Real(a), FieldKind::Real(b)) if a == b => number_overlap(one, other),
        (FieldKind::Words(words), FieldKind::Words(others)) => {
            overlap_of_share(others.len(), others.iter().filter(|word| words.contains(word)).count())
        }
        (FieldKind::Text(letters), FieldKind::Text(others)) => {
            if format.text_pattern(earlier).is_some() || format.text_pattern(later).is_some() {
                return AlternativeOverlap::Nothing;
            }
            let letters =
                overlap_of_share(others.len(), others.iter().filter(|letter| letters.contains(letter)).count());
            letters.min(length_overlap(format, earlier, later))
        }
        (FieldKind::Text(letters), FieldKind::Number) if format.text_pattern(earlier).is_none() => {
            overlap_of_share(10, letters.iter().filter(|letter| letter.is_ascii_digit()).count())
                .min(AlternativeOverlap::Partial)
        }
        _ => AlternativeOverlap::Nothing,
    }
}

/// Returns true if two fields consist of the same number of tokens.
fn have_equal_sizes(one: &Field, other: &Field) -> bool {
    let outer = |field: &Field| {
        let inner = usize::from(field.alphabet().is_some());
        field.dimensions.len().saturating_sub(inner)
    };
    let (ranks, rank) = (outer(one), outer(other));
    ranks == rank && one.dimensions[..ranks] == other.dimensions[..rank]
}

/// Compares the ranges of two fields: single numbers are checked against their ranges when they are read, elements of
/// arrays are not.
fn number_overlap(one: &Field, other: &Field) -> AlternativeOverlap {
    if !one.is_scalar() || one.range.lo <= other.range.lo && other.range.hi <= one.range.hi {
        AlternativeOverlap::All
    } else if one.range.intersect(other.range).is_empty() {
        AlternativeOverlap::Nothing
    } else {
        AlternativeOverlap::Partial
    }
}

fn length_overlap(format: &Format, earlier: FieldId, later: FieldId) -> AlternativeOverlap {
    let last = |id: FieldId| format.field(id).dimensions.last();
    match (last(earlier), last(later)) {
        // A free length is not checked when it is read.
        (Some(FieldDimension::Free), _) => AlternativeOverlap::All,
        (one, other) if one == other => AlternativeOverlap::All,
        _ => AlternativeOverlap::Partial,
    }
}

/// Returns the overlap for `many` of `all` values.
fn overlap_of_share(all: usize, many: usize) -> AlternativeOverlap {
    match many {
        0 => AlternativeOverlap::Nothing,
        _ if many == all => AlternativeOverlap::All,
        _ => AlternativeOverlap::Partial,
    }
}
