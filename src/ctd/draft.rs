//! A format in the making: what a script was understood to say.

use super::letters::Letters;
use super::term::{Claim, FieldId, LoopId, Term};
use crate::diagnostic::Span;

/// All of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) fields: Vec<Field>,
    pub(super) loops: Vec<Loop>,
    pub(super) layout: Vec<Node>,
    pub(super) rules: Vec<Rule>,
    pub(super) lets: Vec<(String, Term)>,
}

/// One field.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) kind: FieldKind,
    /// The loops around it, outermost first; the last ones may be its dimensions.
    pub(super) loops: Vec<LoopId>,
    /// The branches of conditions that it is in.
    pub(super) branches: Vec<usize>,
    /// What is known of its value without looking at any other.
    pub(super) hull: Hull,
    pub(super) span: Span,
    /// Whether its line could not be expressed, so that it is in no line.
    pub(super) dropped: bool,
    /// Whether it is several texts on one line.
    pub(super) is_row: bool,
}

/// The least and the greatest value, as far as they are known.
pub(super) type Hull = (Option<i128>, Option<i128>);

/// What a field is made of, and within which bounds.
#[derive(Clone, Debug)]
pub(super) enum FieldKind {
    /// A whole number.
    Number { least: Term, most: Term },
    /// A real number with so many decimals at least and at most.
    Real { least: Term, most: Term, decimals: (u32, u32) },
    /// Any text of these characters.
    Text { letters: Letters, size: Size },
    /// One of these words.
    Words(Vec<Vec<u8>>),
    /// What a regular expression matches, and how long that can be if it has no end.
    Pattern { text: String, lengths: Option<(u32, u32)> },
}

/// How many characters a text has.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Size {
    /// So many.
    Exactly(Term),
    /// At least, and at most if that is known.
    Between(i128, Option<i128>),
}

/// One loop.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// The name of its counter.
    pub(super) counter: Option<String>,
    pub(super) count: Count,
    pub(super) kind: LoopKind,
    /// The loops around it.
    pub(super) outer: Vec<LoopId>,
    pub(super) span: Span,
}

/// How many repetitions.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Count {
    /// So many.
    Times(Term),
    /// At least and at most so many, up to this line or the end of the input.
    Until(i128, Option<i128>, Option<Vec<u8>>),
}

/// Where a loop is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopKind {
    /// Within a line: a dimension of a field.
    Inline,
    /// A block of lines.
    Block,
    /// It reads nothing.
    Pure,
}

/// A part of the layout.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Fields and literals on one line.
    Line(Vec<Part>),
    /// `repeat`
    Block(LoopId, Vec<Node>),
    /// `if`
    If(Claim, Span, Vec<Node>),
    /// `either`
    Either(Vec<Vec<Node>>),
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) what: What,
    pub(super) glued: bool,
}

/// A field, fixed characters, or several of them again and again.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    Field(FieldId),
    Literal(Vec<u8>),
    /// Parts that stand on the line as often as a loop is run: `(x y)[n]`.
    Group(LoopId, Vec<Part>),
}

impl What {
    /// Calls `visit` with each field in it.
    pub(super) fn each_field(&self, visit: &mut dyn FnMut(FieldId)) {
        match self {
            What::Field(id) => visit(*id),
            What::Literal(_) => {}
            What::Group(_, parts) => parts.iter().for_each(|part| part.what.each_field(visit)),
        }
    }
}

/// Something that holds.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) claim: Claim,
    /// The loops that it is in.
    pub(super) loops: Vec<LoopId>,
    /// The conditions that it is under, each with its branch.
    pub(super) conditions: Vec<(usize, Claim)>,
    /// The statement.
    pub(super) span: Span,
    /// The first repetition that it holds for: the first, or the second.
    pub(super) from: i128,
}

impl Draft {
    pub(super) fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.0]
    }

    pub(super) fn the_loop(&self, id: LoopId) -> &Loop {
        &self.loops[id.0]
    }

    /// The dimensions of a field that are loops, outermost first.
    pub(super) fn dimensions(&self, id: FieldId) -> Vec<LoopId> {
        let inline = |id: &LoopId| self.the_loop(*id).kind == LoopKind::Inline;
        self.field(id).loops.iter().copied().filter(inline).collect()
    }

    /// The count of a loop, where it has one.
    pub(super) fn times(&self, id: LoopId) -> Option<&Term> {
        match &self.the_loop(id).count {
            Count::Times(term) => Some(term),
            Count::Until(..) => None,
        }
    }

    /// Within which bounds a value is, whatever the input.
    pub(super) fn hull(&self, term: &Term) -> Hull {
        match term {
            Term::Field(id) | Term::Element(id, _) => self.field(*id).hull,
            Term::Length(_) => (Some(0), None),
            Term::Index(id) => {
                let most = self.times(*id).and_then(|count| self.hull(count).1);
                (Some(0), most.map(|most| most.saturating_sub(1).max(0)))
            }
            Term::Repetitions(id) => match self.the_loop(*id).count {
                Count::Until(least, most, _) => (Some(least), most),
                Count::Times(_) => (Some(0), None),
            },
            Term::Minus(inner) => {
                let (least, most) = self.hull(inner);
                (most.and_then(i128::checked_neg), least.and_then(i128::checked_neg))
            }
            Term::Binary(sign, left, right) => corners(*sign, self.hull(left), self.hull(right)),
            Term::Choice(_, left, right) => {
                let (left, right) = (self.hull(left), self.hull(right));
                (left.0.zip(right.0).map(|(a, b)| a.min(b)), left.1.zip(right.1).map(|(a, b)| a.max(b)))
            }
            Term::Fold("min" | "max", _, inner) => self.hull(inner),
            other => (other.number(), other.number()),
        }
    }
}

/// The bounds of an operation on values within bounds.
fn corners(sign: char, left: Hull, right: Hull) -> Hull {
    use super::constants::arithmetic;
    let both = |a: Option<i128>, b: Option<i128>| arithmetic(sign, a?, b?);
    match sign {
        '+' => (both(left.0, right.0), both(left.1, right.1)),
        '-' => (both(left.0, right.1), both(left.1, right.0)),
        '%' => {
            let most = right.1.map(|most| most.saturating_sub(1));
            if left.0.is_some_and(|least| least >= 0) { (Some(0), most) } else { (most.map(|m| -m), most) }
        }
        _ => {
            let all = [both(left.0, right.0), both(left.0, right.1), both(left.1, right.0), both(left.1, right.1)];
            if all.iter().any(Option::is_none) || sign == '/' && right.0.is_none_or(|least| least <= 0) {
                return (None, None);
            }
            (all.iter().flatten().min().copied(), all.iter().flatten().max().copied())
        }
    }
}
