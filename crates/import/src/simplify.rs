//! Simplification of a draft to the form that a person would write: sizes of texts, boards for blocks of rows, and
//! `cases` for test cases.

use crate::draft::{Amount, Draft, DraftNode, DraftRule, FieldContent, LinePart, LoopKind, PartKind, narrow_range};
use crate::environment::depends_on_loop;
use crate::letters::{contains_letter, iter_letters};
use crate::term::{FieldId, LoopId, Term, says_positive};
use rebut_format::language::{ComparisonOperator, Interval};
use regex_syntax::hir::{ClassBytes, ClassBytesRange};

pub(crate) fn simplify_draft(draft: &mut Draft) {
    let rules = std::mem::take(&mut draft.rules);
    let absorbs = |rule: &DraftRule, draft: &mut Draft| {
        absorb_length_rule(rule, draft) || absorb_letter_rule(rule, draft) || absorb_repetition_rule(rule, draft)
    };
    let kept: Vec<DraftRule> = rules.into_iter().filter(|rule| !absorbs(rule, draft)).collect();
    let kept = kept.into_iter().map(|rule| order_of_neighbours(occurs_once(rule, draft), draft)).collect();
    draft.rules = kept;
    let mut layout = std::mem::take(&mut draft.layout);
    convert_blocks_to_boards(&mut layout, draft);
    draft.layout = layout;
}

/// Absorbs a rule about the length of a text into the size of the text. Returns true if it was absorbed.
fn absorb_length_rule(rule: &DraftRule, draft: &mut Draft) -> bool {
    let is_length = |side: &Term| matches!(side.split_offset(), (Some(Term::Length(_)), _));
    let Some((sign, length, limit)) = rule.claim.comparison_of(is_length).filter(|found| !is_length(found.2)) else {
        return false;
    };
    let (Some(Term::Length(id)), more) = length.split_offset() else { return false };
    if !applies_to_each(rule, id, draft) {
        return false;
    }
    let value = limit.clone().add_constant(-more);
    let known = !value.subterms().any(|part| match part {
        Term::Field(other) | Term::Length(other) => *other >= id,
        Term::Number(_) | Term::Constant(..) | Term::Minus(_) | Term::Binary(..) => false,
        _ => true,
    });
    let number = value.constant_value();
    match &mut draft[id].kind {
        FieldContent::Text { size: Amount::Exactly(size), .. } => *size == value,
        FieldContent::Text { size, .. }
            if (sign, known) == (ComparisonOperator::Equal, true)
                && (number.is_some() || matches!(size, Amount::Between(Interval { lo: ..=1, .. }))) =>
        {
            *size = Amount::Exactly(value);
            true
        }
        FieldContent::Text { size: Amount::Between(range), .. }
        | FieldContent::Pattern { lengths: Some(range), .. } => {
            number.is_some_and(|number| narrow_range(range, sign, number))
        }
        _ => false,
    }
}

/// Returns true if a rule applies to each instance of a field.
fn applies_to_each(rule: &DraftRule, id: FieldId, draft: &Draft) -> bool {
    let field = &draft[id];
    rule.loops == field.loops && rule.conditions.iter().all(|(branch, _)| field.branches.contains(branch))
}

/// Absorbs a rule about each letter of a text alone into the letters of the text. Returns true if it was absorbed.
fn absorb_letter_rule(rule: &DraftRule, draft: &mut Draft) -> bool {
    let over = rule.loops.last().copied().filter(|_| rule.conditions.is_empty());
    let each = over.map(|over| Term::LoopIndex(over).add_constant(1));
    let single = Amount::Exactly(Term::Number(1));
    let is_single = |id: FieldId| matches!(&draft[id].kind, FieldContent::Text { size, .. } if *size == single);
    let own = |part: &Term| match part {
        Term::Letter(text, place) if Some(&**place) == each.as_ref() => match **text {
            Term::Field(field) => Some(field),
            _ => None,
        },
        Term::Field(field) if is_single(*field) => Some(*field),
        _ => None,
    };
    let Some(field) = rule.claim.subterms().find_map(own) else { return false };
    let count = over.and_then(|over| draft.loop_count(over));
    let is_every = match is_single(field) {
        true => applies_to_each(rule, field, draft),
        false => count.is_some_and(|count| draft.is_text_length(field, count)),
    };
    let FieldContent::Text { letters, .. } = &draft[field].kind else { return false };
    if !is_every {
        return false;
    }
    let holds = |letter: u8| {
        let claim = rule.claim.replace_subterms(&|part| (own(part) == Some(field)).then(|| Term::Text(vec![letter])));
        claim.constant_truth()
    };
    let decided: Option<Vec<(u8, bool)>> = iter_letters(letters).map(|letter| Some((letter, holds(letter)?))).collect();
    let Some(decided) = decided else { return false };
    let allowed =
        decided.into_iter().filter(|(_, holds)| *holds).map(|(letter, _)| ClassBytesRange::new(letter, letter));
    let allowed = ClassBytes::new(allowed);
    if allowed.ranges().is_empty() {
        return false;
    }
    if let FieldContent::Text { letters, .. } = &mut draft[field].kind {
        *letters = allowed;
    }
    true
}

/// Absorbs a bound on the number of repetitions, or on that of each, into the header of its loop. Returns true if it was
/// absorbed.
fn absorb_repetition_rule(rule: &DraftRule, draft: &mut Draft) -> bool {
    let found = rule.claim.comparison_of(|side| side.constant_value().is_none());
    let Some((sign, left, right)) = found.filter(|_| rule.conditions.is_empty()) else { return false };
    let (index, more) = left.split_offset();
    let is_upper = matches!(sign, ComparisonOperator::Less | ComparisonOperator::LessEqual);
    let (id, number) = match (index, right.constant_value()) {
        // The last repetition has the largest number, which is one less than there are.
        (Some(Term::LoopIndex(id)), Some(number)) if is_upper => (id, number.saturating_sub(more).saturating_add(1)),
        (Some(Term::Repetitions(id)), Some(number)) => (id, number.saturating_sub(more)),
        _ => return false,
    };
    if let Amount::Between(range) = &mut draft[id].count { narrow_range(range, sign, number) } else { false }
}

/// Rewrites that every number of the range of a field occurs once as that they are distinct.
fn occurs_once(mut rule: DraftRule, draft: &Draft) -> DraftRule {
    let once = |rule: &DraftRule| {
        let (sign, left, right) = rule.claim.as_comparison()?;
        let Term::Count(over, field, value) = left else { return None };
        let number = right.constant_value()?;
        let is_one = says_positive(sign, number) == Some(true) || (sign, number) == (ComparisonOperator::Equal, 1);
        let (id, first) = value.as_loop_index()?;
        let FieldContent::Number { min, .. } = &draft[*field].kind else { return None };
        let is_each = is_one && rule.loops.last() == Some(&id) && min.constant_value() == Some(first);
        (is_each && draft.is_same_count(id, *over)).then(|| (id, Term::Distinct(*over, vec![Term::Field(*field)])))
    };
    if let Some((id, claim)) = once(&rule) {
        rule.claim = claim;
        rule.loops.retain(|other| *other != id);
    }
    rule
}

/// Rewrites a comparison of neighbours as an order.
pub(crate) fn order_of_neighbours(mut rule: DraftRule, draft: &Draft) -> DraftRule {
    if let Some((over, claim)) = find_order(&rule, draft) {
        rule.claim = claim;
        rule.conditions.retain(|(_, condition)| !condition.skips_first_repetition(over));
        rule.loops.retain(|other| *other != over);
    }
    rule
}

/// Returns the loop of a rule that compares all neighbours, and no others, and the claim that they are in an order.
fn find_order(rule: &DraftRule, draft: &Draft) -> Option<(LoopId, Term)> {
    use ComparisonOperator::{Greater, GreaterEqual, Less, LessEqual};
    let (sign, left, right) = rule.claim.as_comparison()?;
    let over = *rule.loops.last()?;
    let place = |term: &Term| {
        let (base, more) = term.split_offset();
        match base?.as_element()? {
            (field, []) if draft[field].loops.last() == Some(&over) => Some((field, 1, more)),
            (field, [place]) => place.as_loop_index().filter(|(id, _)| *id == over).map(|(_, at)| (field, at, more)),
            _ => None,
        }
    };
    let ((field, first, more), (other, second, other_more)) = (place(left)?, place(right)?);
    let (sign, difference) = match first.checked_sub(second)? {
        1 => (sign, other_more.checked_sub(more)?),
        -1 => (sign.with_sides_swapped(), more.checked_sub(other_more)?),
        _ => return None,
    };
    let own = *draft[field].loops.last()?;
    let is_skip = |(_, condition): &&(usize, Term)| condition.skips_first_repetition(over);
    let skips_first = rule.conditions.iter().any(|condition| is_skip(&condition));
    let is_number = matches!(draft[field].kind, FieldContent::Number { .. });
    let is_ordered = field == other && (is_number || draft[field].is_text() && difference == 0);
    let mut others = rule.conditions.iter().filter(|condition| !is_skip(condition));
    if !is_ordered || others.any(|(_, condition)| depends_on_loop(condition, over, draft)) {
        return None;
    }
    let covers_all = match (first.min(second), skips_first) {
        (0, true) => over == own || draft.is_same_count(over, own),
        (1, false) => draft.loop_count(own)?.constant_difference(draft.loop_count(over)?) == Some(1),
        _ => false,
    };
    let name = match (sign, difference) {
        (Greater, 0) | (GreaterEqual, 1) => "increasing",
        (GreaterEqual, 0) | (Greater, -1) => "sorted",
        (Less, 0) | (LessEqual, -1) => "decreasing",
        (LessEqual, 0) | (Less, 1) => "nonincreasing",
        _ => return None,
    };
    covers_all.then(|| (over, Term::Ordered(name, own, Box::new(Term::Field(field)))))
}

/// Converts blocks of a single row to fields with another dimension.
fn convert_blocks_to_boards(nodes: &mut [DraftNode], draft: &mut Draft) {
    for node in nodes {
        match node {
            DraftNode::Block(id, inner) => {
                convert_blocks_to_boards(inner, draft);
                let [DraftNode::Line(parts)] = inner.as_slice() else { continue };
                let [LinePart { kind: PartKind::Field(field), .. }] = parts.as_slice() else { continue };
                if is_board(*id, *field, draft) {
                    draft[*id].kind = LoopKind::Inline;
                    *node = DraftNode::Line(parts.clone());
                }
            }
            DraftNode::If { body, .. } => convert_blocks_to_boards(body, draft),
            DraftNode::Either(alternatives) => alternatives.iter_mut().for_each(|a| convert_blocks_to_boards(a, draft)),
            DraftNode::Line(_) => {}
        }
    }
}

fn is_board(id: LoopId, field: FieldId, draft: &Draft) -> bool {
    let counted = matches!(&draft[id].count, Amount::Exactly(term) if is_layout_count(term));
    let rows = match &draft[field].kind {
        FieldContent::Text { letters, size } => {
            !contains_letter(letters, b' ')
                && *size != Amount::Exactly(Term::Number(0))
                && *size != Amount::Exactly(Term::Number(1))
        }
        FieldContent::Number { decimals: None, .. } => {
            let inner = draft.field_dimensions(field);
            !inner.is_empty() && inner.iter().all(|l| draft.loop_count(*l).is_some_and(is_layout_count))
        }
        _ => false,
    };
    // A rule about single rows needs the block.
    let inner: Vec<LoopId> = draft.field_dimensions(field);
    let is_own_loop = |over: &LoopId| inner.contains(over) || *over == id;
    let counts_all = |term: &Term| match term {
        Term::Fold("sum", _, inner) => matches!(**inner, Term::LetterCount(..) | Term::Count(..)),
        _ => false,
    };
    let by_rows = |claim: &Term| match &claim.replace_subterms(&|term| counts_all(term).then_some(Term::Number(0))) {
        Term::Distinct(over, _) => inner.contains(over),
        Term::Ordered(_, over, _) | Term::EdgeGraph(over, ..) => is_own_loop(over),
        other => other.subterms().any(|term| match term {
            Term::Fold(_, over, _) | Term::Count(over, ..) => is_own_loop(over),
            Term::Element(other, indices) => *other == field && indices.len() != inner.len() + 1,
            _ => false,
        }),
    };
    counted
        && rows
        && !draft[field].is_row
        && !draft.rules.iter().any(|r| by_rows(&r.claim) || r.conditions.iter().any(|(_, c)| by_rows(c)))
}

/// Returns true if a count can be used in the layout.
fn is_layout_count(term: &Term) -> bool {
    term.is_plain(|part| matches!(part, Term::Fold("sum", ..)))
}

/// Returns the loop of test cases: everything after a first line with their number.
pub(crate) fn find_test_case_loop(draft: &Draft) -> Option<LoopId> {
    const USUAL_NAMES: &str =
        "t tc tests testcases test_cases testcount num_tests cases cases_ runs ncases ntests nruns";
    let [DraftNode::Line(first), DraftNode::Block(id, body)] = draft.layout.as_slice() else { return None };
    let [LinePart { kind: PartKind::Field(count), .. }] = first.as_slice() else { return None };
    let counted = draft.loop_count(*id) == Some(&Term::Field(*count));
    let name = draft[*count].name.to_lowercase();
    let usual = USUAL_NAMES.split(' ').any(|usual| usual == name);
    let nested = body.iter().any(|n| !matches!(n, DraftNode::Line(_)));
    (counted && (usual || body.len() > 1 || nested)).then_some(*id)
}
