//! A draft in the words that people use: texts with their sizes, boards for blocks of rows, `cases` for test cases.

use super::draft::{Count, Draft, FieldKind, LoopKind, Node, Part, Rule, Size, What};
use super::term::{Claim, FieldId, LoopId, Term, mirrored};
use super::translate::MOST_REPETITIONS;

/// So many words a letter may be one of, to be compared as a word.
const MOST_LETTERS: usize = 95;

/// Says the same better.
pub(super) fn polish(draft: &mut Draft) {
    let rules = std::mem::take(&mut draft.rules);
    let kept = rules.into_iter().filter(|rule| !absorb(rule, draft)).collect();
    draft.rules = kept;
    letters_to_words(draft);
    let mut layout = std::mem::take(&mut draft.layout);
    boards(&mut layout, draft);
    draft.layout = layout;
}

/// Whether a rule about the length of a text has become the size of that text.
fn absorb(rule: &Rule, draft: &mut Draft) -> bool {
    let Claim::Compare(sign, left, right) = &rule.claim else { return false };
    let (id, sign, value) = match (length(left), length(right)) {
        (Some((id, more)), None) => (id, *sign, right.clone().plus(-more)),
        (None, Some((id, more))) => (id, mirrored(sign), left.clone().plus(-more)),
        _ => return false,
    };
    let field = draft.field(id);
    let here = rule.loops == field.loops && rule.conditions.iter().all(|(branch, _)| field.branches.contains(branch));
    if !here {
        return false;
    }
    let known = !value.any(&|part| match part {
        Term::Field(other) | Term::Length(other) => *other >= id,
        Term::Number(_) | Term::Constant(..) | Term::Minus(_) | Term::Binary(..) => false,
        _ => true,
    });
    let number = value.number();
    match &mut draft.fields[id.0].kind {
        FieldKind::Text { size, .. } => match (sign, number, &mut *size) {
            ("=", _, Size::Between(least, _)) if known && (number.is_some() || *least <= 1) => {
                *size = Size::Exactly(value);
                true
            }
            (_, Some(number), Size::Between(least, most)) => tighten(sign, number, least, most),
            _ => false,
        },
        FieldKind::Pattern { lengths: Some((least, most)), .. } => {
            let (mut low, mut high) = (i128::from(*least), None);
            let Some(number) = number else { return false };
            let done = tighten(sign, number, &mut low, &mut high);
            *least = u32::try_from(low).unwrap_or(0);
            *most = high.map_or(*most, |most| u32::try_from(most).unwrap_or(u32::MAX));
            done
        }
        _ => false,
    }
}

/// `len(s) + more`
fn length(term: &Term) -> Option<(FieldId, i128)> {
    match term {
        Term::Length(id) => Some((*id, 0)),
        Term::Binary('+', base, number) => length(base).zip(number.number()).map(|((id, a), b)| (id, a + b)),
        Term::Binary('-', base, number) => length(base).zip(number.number()).map(|((id, a), b)| (id, a - b)),
        _ => None,
    }
}

fn tighten(sign: &str, number: i128, least: &mut i128, most: &mut Option<i128>) -> bool {
    let below = |limit: i128, most: &Option<i128>| Some(most.map_or(limit, |m| m.min(limit)));
    match sign {
        "<=" => *most = below(number, most),
        "<" => *most = below(number.saturating_sub(1), most),
        ">=" => *least = number.max(*least),
        ">" => *least = number.saturating_add(1).max(*least),
        "=" => (*least, *most) = (number, Some(number)),
        _ => return false,
    }
    true
}

/// A text of one character that is compared with others is a choice of words: only words can be compared.
fn letters_to_words(draft: &mut Draft) {
    let mut compared: Vec<FieldId> = Vec::new();
    let mut note = |claim: &Claim| comparisons(claim, &mut compared);
    for rule in &draft.rules {
        note(&rule.claim);
        rule.conditions.iter().for_each(|(_, claim)| note(claim));
    }
    conditions(&draft.layout, &mut note);
    for id in compared {
        let single = Size::Exactly(Term::Number(1));
        if let FieldKind::Text { letters, size } = &draft.field(id).kind
            && *size == single
            && letters.bytes().count() <= MOST_LETTERS
            && !letters.has(b' ')
            && !before_glue(&draft.layout, id)
        {
            let words = letters.bytes().map(|b| vec![b]).collect();
            draft.fields[id.0].kind = FieldKind::Words(words);
        }
    }
}

fn comparisons(claim: &Claim, found: &mut Vec<FieldId>) {
    let field = |term: &Term| match term {
        Term::Field(id) | Term::Element(id, _) => Some(*id),
        _ => None,
    };
    match claim {
        Claim::All(parts) | Claim::Any(parts) => parts.iter().for_each(|p| comparisons(p, found)),
        Claim::Not(inner) => comparisons(inner, found),
        Claim::Compare(_, left, right) => found.extend([left, right].into_iter().filter_map(field)),
        // In a tuple a word counts as a whole, and a text letter by letter.
        Claim::Distinct(_, terms) if terms.len() > 1 => found.extend(terms.iter().filter_map(field)),
        _ => {}
    }
}

fn conditions(nodes: &[Node], note: &mut impl FnMut(&Claim)) {
    for node in nodes {
        match node {
            Node::If(claim, _, inner) => {
                note(claim);
                conditions(inner, note);
            }
            Node::Block(_, inner) => conditions(inner, note),
            Node::Either(alternatives) => alternatives.iter().for_each(|a| conditions(a, note)),
            Node::Line(_) => {}
        }
    }
}

/// Whether another field follows this one without a blank.
fn before_glue(nodes: &[Node], id: FieldId) -> bool {
    nodes.iter().any(|node| match node {
        Node::Line(parts) => parts
            .windows(2)
            .any(|pair| pair[0].what == What::Field(id) && pair[1].glued && matches!(pair[1].what, What::Field(_))),
        Node::Block(_, inner) | Node::If(_, _, inner) => before_glue(inner, id),
        Node::Either(alternatives) => alternatives.iter().any(|a| before_glue(a, id)),
    })
}

/// A block of one row each is a field of one dimension more.
fn boards(nodes: &mut [Node], draft: &mut Draft) {
    for node in nodes {
        match node {
            Node::Block(id, inner) => {
                boards(inner, draft);
                let [Node::Line(parts)] = inner.as_slice() else { continue };
                let [Part { what: What::Field(field), .. }] = parts.as_slice() else { continue };
                if is_board(*id, *field, draft) {
                    draft.loops[id.0].kind = LoopKind::Inline;
                    *node = Node::Line(parts.clone());
                }
            }
            Node::If(_, _, inner) => boards(inner, draft),
            Node::Either(alternatives) => alternatives.iter_mut().for_each(|a| boards(a, draft)),
            Node::Line(_) => {}
        }
    }
}

fn is_board(id: LoopId, field: FieldId, draft: &Draft) -> bool {
    let counted = matches!(&draft.the_loop(id).count, Count::Times(term) if sayable(term));
    let rows = match &draft.field(field).kind {
        FieldKind::Text { letters, size } => {
            !letters.has(b' ') && *size != Size::Exactly(Term::Number(0)) && *size != Size::Exactly(Term::Number(1))
        }
        FieldKind::Number { .. } => {
            let inner = draft.dimensions(field);
            !inner.is_empty() && inner.iter().all(|l| draft.times(*l).is_some_and(sayable))
        }
        _ => false,
    };
    // A rule about one row at a time needs the row.
    let inner: Vec<LoopId> = draft.dimensions(field);
    let by_rows = |claim: &Claim| match claim {
        Claim::Distinct(over, _) | Claim::Ordered(_, over, _) | Claim::Simple(over, ..) => {
            inner.contains(over) || *over == id
        }
        other => other.any(&|t| {
            matches!(t, Term::Fold(_, over, _) | Term::Count(over, ..) if inner.contains(over) || *over == id)
                || matches!(t, Term::Element(other, places) if *other == field && places.len() != inner.len() + 1)
        }),
    };
    counted
        && rows
        && !draft.field(field).is_row
        && !draft.rules.iter().any(|r| by_rows(&r.claim) || r.conditions.iter().any(|(_, c)| by_rows(c)))
}

/// Whether a count can stand in the layout.
fn sayable(term: &Term) -> bool {
    !term.any(&|part| {
        !matches!(
            part,
            Term::Number(_)
                | Term::Constant(..)
                | Term::Field(_)
                | Term::Length(_)
                | Term::Minus(_)
                | Term::Binary(..)
                | Term::Fold("sum", ..)
        )
    })
}

/// The loop of test cases: it is all that follows a first line with their number.
pub(super) fn cases(draft: &Draft) -> Option<LoopId> {
    const USUAL: &[&str] = &["t", "tc", "tests", "testcases", "cases", "cases_", "runs", "ncases", "ntests", "nruns"];
    let [Node::Line(first), Node::Block(id, body)] = draft.layout.as_slice() else { return None };
    let [Part { what: What::Field(count), .. }] = first.as_slice() else { return None };
    let counted = draft.times(*id) == Some(&Term::Field(*count));
    let usual = USUAL.contains(&draft.field(*count).name.as_str());
    let nested = body.iter().any(|n| !matches!(n, Node::Line(_)));
    (counted && (usual || body.len() > 1 || nested)).then_some(*id)
}

/// The greatest number that something without a limit gets.
pub(super) fn limit() -> i128 {
    MOST_REPETITIONS
}
