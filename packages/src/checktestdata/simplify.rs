//! Simplification of a draft to the form that a person would write: sizes of texts, boards for blocks of rows, and
//! `cases` for test cases.

use super::draft::{
    ConversionDraft, DraftFieldKind, DraftLinePart, DraftLinePartKind, DraftLoopKind, DraftNode, DraftRule,
    DraftTextSize, LoopCount,
};
use super::letters::{contains_letter, iter_letters};
use super::symbolic::{DraftFieldId, DraftLoopId, SymbolicClaim, SymbolicTerm, mirrored_operator};

/// Maximum number of values of a letter that is converted to a choice of words, so that it can be compared.
const MAX_LETTER_CHOICES: usize = 95;

/// Simplifies a draft.
pub(super) fn simplify_draft(draft: &mut ConversionDraft) {
    let rules = std::mem::take(&mut draft.rules);
    let kept = rules.into_iter().filter(|rule| !absorb_length_rule(rule, draft)).collect();
    draft.rules = kept;
    letters_to_words(draft);
    let mut layout = std::mem::take(&mut draft.layout);
    convert_blocks_to_boards(&mut layout, draft);
    draft.layout = layout;
}

/// Absorbs a rule about the length of a text into the size of the text. Returns true if it was absorbed.
fn absorb_length_rule(rule: &DraftRule, draft: &mut ConversionDraft) -> bool {
    let SymbolicClaim::Compare(sign, left, right) = &rule.claim else { return false };
    let (id, sign, value) = match (length_with_offset(left), length_with_offset(right)) {
        (Some((id, more)), None) => (id, *sign, right.clone().add_constant(-more)),
        (None, Some((id, more))) => (id, mirrored_operator(sign), left.clone().add_constant(-more)),
        _ => return false,
    };
    let field = draft.field_by_id(id);
    let here = rule.loops == field.loops && rule.conditions.iter().all(|(branch, _)| field.branches.contains(branch));
    if !here {
        return false;
    }
    let known = !value.any_subterm(&|part| match part {
        SymbolicTerm::Field(other) | SymbolicTerm::Length(other) => *other >= id,
        SymbolicTerm::Number(_) | SymbolicTerm::Constant(..) | SymbolicTerm::Minus(_) | SymbolicTerm::Binary(..) => {
            false
        }
        _ => true,
    });
    let number = value.constant_value();
    match &mut draft.fields[id.0].kind {
        DraftFieldKind::Text { size, .. } => match (sign, number, &mut *size) {
            ("=", _, DraftTextSize::Between(min, _)) if known && (number.is_some() || *min <= 1) => {
                *size = DraftTextSize::Exactly(value);
                true
            }
            (_, Some(number), DraftTextSize::Between(min, max)) => tighten_range(sign, number, min, max),
            _ => false,
        },
        DraftFieldKind::Pattern { lengths: Some((min, max)), .. } => {
            let mut new_max = None;
            let Some(number) = number else { return false };
            let is_absorbed = tighten_range(sign, number, min, &mut new_max);
            *max = new_max.unwrap_or(*max);
            is_absorbed
        }
        _ => false,
    }
}

/// Matches `len(s) + offset`.
fn length_with_offset(term: &SymbolicTerm) -> Option<(DraftFieldId, i128)> {
    match term {
        SymbolicTerm::Length(id) => Some((*id, 0)),
        SymbolicTerm::Binary('+', base, number) => {
            length_with_offset(base).zip(number.constant_value()).map(|((id, a), b)| (id, a + b))
        }
        SymbolicTerm::Binary('-', base, number) => {
            length_with_offset(base).zip(number.constant_value()).map(|((id, a), b)| (id, a - b))
        }
        _ => None,
    }
}

fn tighten_range(sign: &str, number: i128, min: &mut i128, max: &mut Option<i128>) -> bool {
    let below = |limit: i128, max: &Option<i128>| Some(max.map_or(limit, |m| m.min(limit)));
    match sign {
        "<=" => *max = below(number, max),
        "<" => *max = below(number.saturating_sub(1), max),
        ">=" => *min = number.max(*min),
        ">" => *min = number.saturating_add(1).max(*min),
        "=" => (*min, *max) = (number, Some(number)),
        _ => return false,
    }
    true
}

/// Converts texts of a single character that are compared to choices of words, because only words can be compared.
fn letters_to_words(draft: &mut ConversionDraft) {
    let mut compared: Vec<DraftFieldId> = Vec::new();
    let mut note = |claim: &SymbolicClaim| collect_compared_fields(claim, &mut compared);
    for rule in &draft.rules {
        note(&rule.claim);
        rule.conditions.iter().for_each(|(_, claim)| note(claim));
    }
    visit_conditions(&draft.layout, &mut note);
    for id in compared {
        let single = DraftTextSize::Exactly(SymbolicTerm::Number(1));
        if let DraftFieldKind::Text { letters, size } = &draft.field_by_id(id).kind
            && *size == single
            && iter_letters(letters).count() <= MAX_LETTER_CHOICES
            && !contains_letter(letters, b' ')
            && !precedes_glued_field(&draft.layout, id)
        {
            let words = iter_letters(letters).map(|b| vec![b]).collect();
            draft.fields[id.0].kind = DraftFieldKind::Words(words);
        }
    }
}

fn collect_compared_fields(claim: &SymbolicClaim, found: &mut Vec<DraftFieldId>) {
    let field = |term: &SymbolicTerm| match term {
        SymbolicTerm::Field(id) | SymbolicTerm::Element(id, _) => Some(*id),
        _ => None,
    };
    match claim {
        SymbolicClaim::All(parts) | SymbolicClaim::Any(parts) => {
            parts.iter().for_each(|p| collect_compared_fields(p, found))
        }
        SymbolicClaim::Not(inner) => collect_compared_fields(inner, found),
        SymbolicClaim::Compare(_, left, right) => found.extend([left, right].into_iter().filter_map(field)),
        // In a tuple, a word counts as a whole, but a text letter by letter.
        SymbolicClaim::Distinct(_, terms) if terms.len() > 1 => found.extend(terms.iter().filter_map(field)),
        _ => {}
    }
}

fn visit_conditions(nodes: &[DraftNode], note: &mut impl FnMut(&SymbolicClaim)) {
    for node in nodes {
        match node {
            DraftNode::If(claim, _, inner) => {
                note(claim);
                visit_conditions(inner, note);
            }
            DraftNode::Block(_, inner) => visit_conditions(inner, note),
            DraftNode::Either(alternatives) => alternatives.iter().for_each(|a| visit_conditions(a, note)),
            DraftNode::Line(_) => {}
        }
    }
}

/// Returns true if another field directly follows this one.
fn precedes_glued_field(nodes: &[DraftNode], id: DraftFieldId) -> bool {
    nodes.iter().any(|node| match node {
        DraftNode::Line(parts) => parts.windows(2).any(|pair| {
            pair[0].kind == DraftLinePartKind::Field(id)
                && pair[1].glued
                && matches!(pair[1].kind, DraftLinePartKind::Field(_))
        }),
        DraftNode::Block(_, inner) | DraftNode::If(_, _, inner) => precedes_glued_field(inner, id),
        DraftNode::Either(alternatives) => alternatives.iter().any(|a| precedes_glued_field(a, id)),
    })
}

/// Converts blocks of a single row to fields with another dimension.
fn convert_blocks_to_boards(nodes: &mut [DraftNode], draft: &mut ConversionDraft) {
    for node in nodes {
        match node {
            DraftNode::Block(id, inner) => {
                convert_blocks_to_boards(inner, draft);
                let [DraftNode::Line(parts)] = inner.as_slice() else { continue };
                let [DraftLinePart { kind: DraftLinePartKind::Field(field), .. }] = parts.as_slice() else { continue };
                if is_board(*id, *field, draft) {
                    draft.loops[id.0].kind = DraftLoopKind::Inline;
                    *node = DraftNode::Line(parts.clone());
                }
            }
            DraftNode::If(_, _, inner) => convert_blocks_to_boards(inner, draft),
            DraftNode::Either(alternatives) => alternatives.iter_mut().for_each(|a| convert_blocks_to_boards(a, draft)),
            DraftNode::Line(_) => {}
        }
    }
}

fn is_board(id: DraftLoopId, field: DraftFieldId, draft: &ConversionDraft) -> bool {
    let counted = matches!(&draft.loop_by_id(id).count, LoopCount::Times(term) if is_layout_count(term));
    let rows = match &draft.field_by_id(field).kind {
        DraftFieldKind::Text { letters, size } => {
            !contains_letter(letters, b' ')
                && *size != DraftTextSize::Exactly(SymbolicTerm::Number(0))
                && *size != DraftTextSize::Exactly(SymbolicTerm::Number(1))
        }
        DraftFieldKind::Number { .. } => {
            let inner = draft.field_dimensions(field);
            !inner.is_empty() && inner.iter().all(|l| draft.loop_count(*l).is_some_and(is_layout_count))
        }
        _ => false,
    };
    // A rule about single rows needs the block.
    let inner: Vec<DraftLoopId> = draft.field_dimensions(field);
    let is_own_loop = |over: &DraftLoopId| inner.contains(over) || *over == id;
    let by_rows = |claim: &SymbolicClaim| match claim {
        SymbolicClaim::Distinct(over, _)
        | SymbolicClaim::Ordered(_, over, _)
        | SymbolicClaim::SimpleGraph(over, ..) => is_own_loop(over),
        other => other.any_subterm(&|term| match term {
            SymbolicTerm::Fold(_, over, _) | SymbolicTerm::Count(over, ..) => is_own_loop(over),
            SymbolicTerm::Element(other, indices) => *other == field && indices.len() != inner.len() + 1,
            _ => false,
        }),
    };
    counted
        && rows
        && !draft.field_by_id(field).is_row
        && !draft.rules.iter().any(|r| by_rows(&r.claim) || r.conditions.iter().any(|(_, c)| by_rows(c)))
}

/// Returns true if a count can be used in the layout.
fn is_layout_count(term: &SymbolicTerm) -> bool {
    !term.any_subterm(&|part| {
        !matches!(
            part,
            SymbolicTerm::Number(_)
                | SymbolicTerm::Constant(..)
                | SymbolicTerm::Field(_)
                | SymbolicTerm::Length(_)
                | SymbolicTerm::Minus(_)
                | SymbolicTerm::Binary(..)
                | SymbolicTerm::Fold("sum", ..)
        )
    })
}

/// Returns the loop of test cases: everything after a first line with their number.
pub(super) fn find_test_case_loop(draft: &ConversionDraft) -> Option<DraftLoopId> {
    const USUAL_NAMES: &[&str] =
        &["t", "tc", "tests", "testcases", "cases", "cases_", "runs", "ncases", "ntests", "nruns"];
    let [DraftNode::Line(first), DraftNode::Block(id, body)] = draft.layout.as_slice() else { return None };
    let [DraftLinePart { kind: DraftLinePartKind::Field(count), .. }] = first.as_slice() else { return None };
    let counted = draft.loop_count(*id) == Some(&SymbolicTerm::Field(*count));
    let usual = USUAL_NAMES.contains(&draft.field_by_id(*count).name.as_str());
    let nested = body.iter().any(|n| !matches!(n, DraftNode::Line(_)));
    (counted && (usual || body.len() > 1 || nested)).then_some(*id)
}
