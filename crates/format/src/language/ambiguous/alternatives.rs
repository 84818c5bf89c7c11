//! Detection of alternatives that look alike. Reading takes the first alternative that fits, so a later one is
//! unreachable if it always fits an earlier one. A partial overlap is a mistake too, unless the earlier one starts
//! with a literal.

use super::{block_first_span, item_first_span, items_after_block};
use crate::language::{DeclaredRanges, element_count_range, instance_count_range};
use crate::model::{
    BlockId, Field, FieldDimension, FieldId, FieldKind, Format, InstanceCount, LayoutItem, LinePart, LineToken,
};
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

// Checks of repetitions without a count: items after one that extends to the end of the input, and repetitions
// without lines.

/// Reports repetitions until the end of the input that are not the last item.
pub(super) fn report_items_after_eof(format: &Format, problems: &mut Vec<Diagnostic>) {
    for (i, block) in format.blocks.iter().enumerate() {
        if !matches!(block.count, InstanceCount::Until { sentinel: None, .. }) {
            continue;
        }
        let problem = Diagnostic::error(
            "after-eof",
            block.span,
            "nothing can follow a repetition that extends to the end of the input",
        )
        .with_caret("it takes all remaining lines")
        .with_help(
            "move it to the end; or end it with a terminating line, `until 0`, or give a count above it, `repeat n`",
        );
        let mut inner = BlockId(i);
        while let Some(outer) = format.block(inner).parent {
            if let Some(next) = items_after_block(format.block(outer), inner).first() {
                let problem = problem.clone();
                problems.push(match item_first_span(format, next) {
                    Some(span) => problem.with_label(span, "no lines remain for this"),
                    None => problem,
                });
                break;
            }
            if outer != BlockId(0) && instance_count_range(outer, &DeclaredRanges(format)).hi > 1 {
                problems.push(
                    problem.clone().with_label(format.block(outer).span, "no lines remain for the next one of these"),
                );
                break;
            }
            inner = outer;
        }
    }
}

/// Reports repetitions without a count that may have no lines, so that their presence cannot be detected.
pub(super) fn report_lineless_repetitions(format: &Format, problems: &mut Vec<Diagnostic>) {
    for (i, block) in format.blocks.iter().enumerate() {
        if matches!(block.count, InstanceCount::Until { .. }) && can_block_be_lineless(format, BlockId(i)) {
            problems.push(
                Diagnostic::error("no-line", block.span, "a repetition may have no lines")
                    .with_caret("its presence cannot be detected")
                    .with_help(
                        "give the number of repetitions on a line above; or begin each with a line that is always there",
                    ),
            );
        }
    }
}

/// Returns true if an instance of a block may have no lines.
fn can_block_be_lineless(format: &Format, block: BlockId) -> bool {
    let stated = DeclaredRanges(format);
    format.block(block).items.iter().all(|item| match item {
        LayoutItem::Line(_) => false,
        LayoutItem::Block(child) if format.block(*child).inline.is_some() => false,
        LayoutItem::Rows(field) => {
            let rows = format.field(*field).dimensions.len() - 1;
            element_count_range(*field, rows, &stated).lo < 1
        }
        LayoutItem::Block(child) => {
            let ended = matches!(format.block(*child).count, InstanceCount::Until { sentinel: Some(_), .. });
            !ended && (instance_count_range(*child, &stated).lo < 1 || can_block_be_lineless(format, *child))
        }
        LayoutItem::Either(children) => children.iter().any(|child| can_block_be_lineless(format, *child)),
    })
}

// Detects parts of a line without a space between them of which the first can continue into the second: in
// `x"0"y`, 10203 could be 1 and 203, or 102 and 3.

/// Reports fields that can continue into the part glued to them.
pub(super) fn report_glued_fields(format: &Format, problems: &mut Vec<Diagnostic>) {
    for item in format.blocks.iter().flat_map(|block| &block.items) {
        let LayoutItem::Line(parts) = item else { continue };
        for (i, part) in parts.iter().enumerate() {
            let Some(field) = part.field() else { continue };
            let glued: Vec<&LinePart> = parts[i + 1..].iter().take_while(|part| part.is_glued).collect();
            if let Some(what) = ambiguous_characters(format, field, &glued) {
                problems.push(glued_field_error(format, field, what, &glued));
            }
        }
    }
}

fn glued_field_error(format: &Format, field: FieldId, what: &str, glued: &[&LinePart]) -> Diagnostic {
    let info = format.field(field);
    let next = match glued.first().map(|part| &part.token) {
        Some(LineToken::Field(next)) => format!("`{}`", format.field(*next).name),
        Some(LineToken::Literal(text)) => format!("`{}`", String::from_utf8_lossy(text)),
        None => String::new(),
    };
    let message = format!("it is ambiguous where `{}` ends and {next} begins", info.name);
    let help = match info.kind {
        FieldKind::Text(_) if info.has_free_length() => {
            format!("put a space between them, or give its number of characters: `{}[n]`", info.name)
        }
        _ => "put a space between them, or a character that it cannot contain".to_owned(),
    };
    Diagnostic::error("glued", info.span, message)
        .with_caret(format!("{what} can continue into {next}"))
        .with_help(help)
}

/// Returns the characters of a field that can continue into the part glued to it.
fn ambiguous_characters(format: &Format, field: FieldId, glued: &[&LinePart]) -> Option<&'static str> {
    let next = start_bytes(format, glued);
    let info = format.field(field);
    match &info.kind {
        FieldKind::Number => next.contains_matching(|b| b.is_ascii_digit()).then_some("its digits"),
        FieldKind::Real(decimals) => {
            // Without decimals, a point after the digits could begin some.
            let may_lack_point = decimals.min == 0;
            next.contains_matching(|b| b.is_ascii_digit() || may_lack_point && b == b'.').then_some("its digits")
        }
        FieldKind::Text(letters) => {
            (info.has_free_length() && next.contains_matching(|b| letters.contains(&b))).then_some("its letters")
        }
        FieldKind::Words(words) => {
            let has_longer_word = |word: &Vec<u8>| {
                words
                    .iter()
                    .filter_map(|other| other.strip_prefix(word.as_slice()))
                    .any(|rest| can_start_next(rest, glued, &next))
            };
            words.iter().any(has_longer_word).then_some("its words")
        }
    }
}

/// Returns true if the rest of a longer word can be the beginning of the part after the shorter one.
fn can_start_next(rest: &[u8], glued: &[&LinePart], next: &StartBytes) -> bool {
    let Some(first) = rest.first() else { return false };
    match glued.first().map(|part| &part.token) {
        Some(LineToken::Literal(text)) => text.starts_with(rest) || rest.starts_with(text),
        _ => next.0[usize::from(*first)],
    }
}

/// The set of bytes that a part can start with.
struct StartBytes([bool; 256]);

impl StartBytes {
    fn contains_matching(&self, wanted: impl Fn(u8) -> bool) -> bool {
        (0..=u8::MAX).any(|b| self.0[usize::from(b)] && wanted(b))
    }

    fn insert_bytes(&mut self, bytes: impl IntoIterator<Item = u8>) {
        bytes.into_iter().for_each(|b| self.0[usize::from(b)] = true);
    }
}

/// Returns the first bytes of glued parts; parts after one that can be empty count too.
fn start_bytes(format: &Format, parts: &[&LinePart]) -> StartBytes {
    let mut found = StartBytes([false; 256]);
    for part in parts {
        match &part.token {
            LineToken::Literal(text) => found.insert_bytes(text.first().copied()),
            LineToken::Field(field) => add_field_start_bytes(format, *field, &mut found),
        }
        let can_be_empty = match &part.token {
            LineToken::Literal(text) => text.is_empty(),
            LineToken::Field(field) => can_field_be_empty(format, *field),
        };
        if !can_be_empty {
            break;
        }
    }
    found
}

fn add_field_start_bytes(format: &Format, field: FieldId, found: &mut StartBytes) {
    let info = format.field(field);
    match &info.kind {
        FieldKind::Number | FieldKind::Real(_) => {
            if info.range.hi >= 0 || matches!(info.kind, FieldKind::Real(_)) {
                found.insert_bytes(b'0'..=b'9');
            }
            if info.range.lo < 0 {
                found.insert_bytes([b'-']);
            }
        }
        FieldKind::Words(words) => found.insert_bytes(words.iter().filter_map(|word| word.first().copied())),
        FieldKind::Text(letters) => match format.text_pattern(field) {
            Some(pattern) => found.insert_bytes(pattern.first_letters()),
            None => found.insert_bytes(letters.iter().copied()),
        },
    }
}

fn can_field_be_empty(format: &Format, field: FieldId) -> bool {
    let info = format.field(field);
    element_count_range(field, info.dimensions.len(), &DeclaredRanges(format)).lo < 1
}
