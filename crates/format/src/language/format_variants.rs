//! Variants of a format: the same layout with other constraints, as needed to search for invalid inputs.

use super::classify::constraint_class;
use super::range_narrowing::narrow_all_ranges;
use crate::model::{
    BlockId, Constraint, FieldId, FieldKind, Format, InstanceCount, Interval, LayoutItem, LinePart, LineToken,
    MAX_NUMBER,
};

impl Format {
    /// Returns the same layout with other constraints and the ranges that follow, or `None` if they contradict each
    /// other. A number that is no longer bounded stays near its former range.
    #[must_use]
    pub fn with_constraints(&self, constraints: Vec<Constraint>) -> Option<Format> {
        let mut format = Format { constraints, subtasks: Vec::new(), ..self.clone() };
        for field in &mut format.fields {
            if matches!(field.kind, FieldKind::Number | FieldKind::Real(_)) {
                field.range = widen_interval(field.range, Interval::ALL);
            }
            field.length = widen_interval(field.length, Interval::NATURAL);
        }
        for i in 0..format.constraints.len() {
            format.constraints[i].class = constraint_class(&format, &format.constraints[i].rule);
        }
        let mut problems = Vec::new();
        narrow_all_ranges(&mut format, &mut problems);
        problems.is_empty().then_some(format)
    }

    /// Returns the same layout without constraints on numbers and lengths: it reads every input of the right shape.
    #[must_use]
    pub fn without_constraints(&self) -> Format {
        let mut format = Format { constraints: Vec::new(), subtasks: Vec::new(), ..self.clone() };
        for field in format.fields.iter_mut().filter(|f| matches!(f.kind, FieldKind::Number | FieldKind::Real(_))) {
            field.range = Interval::ALL;
        }
        format
    }

    /// Returns the format with numbers close to the simplest value only: sizes, elements and all. Most bugs show up
    /// there, and there are few such inputs.
    #[must_use]
    pub fn with_small_numbers(&self) -> Format {
        const MAX_DISTANCE: i128 = 3;
        let mut format = self.clone();
        for field in &mut format.fields {
            let simplest = field.range.simplest_value();
            field.range = field.range.intersect(Interval::new(simplest - MAX_DISTANCE, simplest + MAX_DISTANCE));
        }
        format
    }

    /// Returns the format restricted to a single case, if a number gives the number of cases and 1 is allowed.
    #[must_use]
    pub fn with_single_case(&self) -> Option<Format> {
        let count = self.case_count()?;
        let mut format = self.clone();
        let field = format.fields.get_mut(count.0).filter(|field| field.range.contains_value(1))?;
        field.range = Interval::from_value(1);
        Some(format)
    }
}

/// Widens a range by its own width on both sides.
fn widen_interval(range: Interval, most: Interval) -> Interval {
    let margin = range.hi.saturating_sub(range.lo).clamp(10, MAX_NUMBER);
    Interval::new(range.lo.saturating_sub(margin), range.hi.saturating_add(margin)).intersect(most)
}

// Formats in which every input has exactly one reading.
//
// A value is an input if its bytes are read back as that value. Alternatives, repetitions without a count and glued
// tokens can be ambiguous; then only reading can decide. Usually the layout alone rules ambiguities out.

/// Returns true if every value that fits the layout is certainly read back as itself.
pub(crate) fn is_unambiguous(format: &Format) -> bool {
    format.block_ids().all(|block| {
        let items = &format.block(block).items;
        has_unambiguous_end(format, block)
            && items.iter().all(|item| match item {
                LayoutItem::Line(parts) => {
                    parts.windows(2).all(|pair| is_unambiguous_joint(format, &pair[0], &pair[1]))
                }
                LayoutItem::Rows(_) | LayoutItem::Block(_) => true,
                LayoutItem::Either(children) => {
                    let words: Vec<_> = children.iter().map(|child| first_literal(format, *child)).collect();
                    words.iter().enumerate().all(|(i, word)| word.is_some() && !words[..i].contains(word))
                }
            })
    })
}

/// Returns true if the numbers of a field also decide where a repetition ends: its instances must not look like the
/// terminating line.
pub(crate) fn affects_repetition_end(format: &Format, field: FieldId) -> bool {
    let mut at = Some(format.field(field).block);
    while let Some(id) = at {
        if matches!(format.block(id).count, InstanceCount::Until { sentinel: Some(_), .. }) {
            return true;
        }
        at = format.block(id).parent;
    }
    false
}

/// Returns true if a repetition until the end of the input is unambiguous, as nothing can follow it.
fn has_unambiguous_end(format: &Format, block: BlockId) -> bool {
    let info = format.block(block);
    if !matches!(info.count, InstanceCount::Until { sentinel: None, .. }) {
        return true;
    }
    info.parent == Some(BlockId(0)) && format.block(BlockId(0)).items.last() == Some(&LayoutItem::Block(block))
}

/// Returns true if reading always ends the first of two parts of a line in the right place.
fn is_unambiguous_joint(format: &Format, first: &LinePart, second: &LinePart) -> bool {
    let LineToken::Field(field) = &first.token else { return true };
    let info = format.field(*field);
    let letters = match &info.kind {
        FieldKind::Number => b"-0123456789".as_slice(),
        FieldKind::Real(_) => b"-.0123456789",
        FieldKind::Text(letters) => letters.as_slice(),
        // One word may be a prefix of another.
        FieldKind::Words(_) => return !second.is_glued,
    };
    match &second.token {
        _ if !second.is_glued => true,
        LineToken::Literal(text) => info.dimensions.len() < 2 && text.first().is_some_and(|b| !letters.contains(b)),
        LineToken::Field(_) => false,
    }
}

/// Returns the literal that a block always begins with.
fn first_literal(format: &Format, block: BlockId) -> Option<&[u8]> {
    let Some(LayoutItem::Line(parts)) = format.block(block).items.first() else { return None };
    match (&parts.first()?.token, parts.get(1)) {
        (LineToken::Literal(_), Some(second)) if second.is_glued => None,
        (LineToken::Literal(text), _) => Some(text),
        (LineToken::Field(_), _) => None,
    }
}
