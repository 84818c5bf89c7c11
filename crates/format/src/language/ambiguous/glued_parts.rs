//! Detects parts of a line without a space between them of which the first can continue into the second: in
//! `x"0"y`, 10203 could be 1 and 203, or 102 and 3.

use crate::language::{DeclaredRanges, element_count_range};
use crate::model::{FieldId, FieldKind, Format, LayoutItem, LinePart, LineToken};
use rebut_diagnostics::Diagnostic;

/// Reports fields that can continue into the part glued to them.
pub(super) fn report_glued_fields(format: &Format, problems: &mut Vec<Diagnostic>) {
    for item in format.blocks.iter().flat_map(|block| &block.items) {
        let LayoutItem::Line(parts) = item else { continue };
        for (i, part) in parts.iter().enumerate() {
            let LineToken::Field(field) = part.token else { continue };
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

/// Adds the bytes that a field can start with.
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

/// Returns true if a field can be empty.
fn can_field_be_empty(format: &Format, field: FieldId) -> bool {
    let info = format.field(field);
    element_count_range(field, info.dimensions.len(), &DeclaredRanges(format)).lo < 1
}
