//! Expressions over fields.

use super::model::{BlockId, FieldId};

/// An arithmetic expression over fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number, or the code of a letter.
    Constant(i128),
    /// A field: its number, or, for an array, each of its numbers in turn.
    Field(FieldId),
    /// The length of a text or an array of one dimension.
    Length(FieldId),
    /// One element, counted from 1 in each dimension; with fewer indices than dimensions, all elements of one row. Of a
    /// field in a repeated block with one index more than it has dimensions, the first index counts the repetitions, as that of a text without
    /// brackets does: see [`Format::counts_repetitions`](super::Format::counts_repetitions).
    Element(FieldId, Vec<Expr>),
    /// What a quantifier counts through; they are numbered from the outermost.
    Variable(usize),
    /// The negative.
    Minus(Box<Expr>),
    /// An arithmetic operation.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// Many numbers made one.
    Fold(Fold, Over, Box<Expr>),
    /// A text, an array or one row as one thing, in the order of dictionaries; only ever a side of a comparison.
    Whole(Box<Expr>),
    /// A text that stands in the format; what a whole is compared with.
    Letters(Vec<u8>),
}

/// Arithmetic on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Sum.
    Plus,
    /// Difference.
    Minus,
    /// Product.
    Times,
    /// Quotient, rounded down.
    Divide,
    /// Remainder of the division that rounds down.
    Modulo,
    /// Power with a non-negative exponent.
    Power,
    /// The smaller one.
    Least,
    /// The larger one.
    Greatest,
    /// The left one if it stands, else the right one: a field that stands in several forms of an `either`.
    Else,
}

/// How many numbers become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Their sum.
    Sum,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// How many equal this one.
    Count(i128),
    /// How many there are: the length of a row.
    Size,
}

/// What a fold runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// All elements of the arrays in its expression.
    Elements,
    /// All instances of a repeated block.
    Instances(BlockId),
    /// All instances of a block that may be absent from the repetition around it.
    Occurrences(Occurrences),
}

/// The instances of a block below `if` or in a form of `either`, within one round of the repetition around them. Unlike the
/// instances of a repeated block they are counted by no number, and not each repetition has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrences {
    /// The outermost block of which there can be several: the innermost repetition around `block`. If nothing repeats
    /// around it, the outermost condition or form.
    pub outermost: BlockId,
    /// The block of which all instances are meant.
    pub block: BlockId,
}

impl Over {
    /// The innermost block whose instances it runs over; `None` for the elements of arrays.
    pub fn block(self) -> Option<BlockId> {
        match self {
            Over::Elements => None,
            Over::Instances(block) | Over::Occurrences(Occurrences { block, .. }) => Some(block),
        }
    }

    /// The outermost block whose instances it runs over; the block around it holds them all. `None` for the elements of
    /// arrays.
    pub fn outermost(self) -> Option<BlockId> {
        match self {
            Over::Elements => None,
            Over::Instances(block) | Over::Occurrences(Occurrences { outermost: block, .. }) => Some(block),
        }
    }
}

/// A sign between two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
}

impl Sign {
    /// Whether `left sign right` holds.
    pub fn holds<T: Ord>(self, left: &T, right: &T) -> bool {
        match self {
            Sign::Less => left < right,
            Sign::LessEqual => left <= right,
            Sign::Greater => left > right,
            Sign::GreaterEqual => left >= right,
            Sign::Equal => left == right,
            Sign::NotEqual => left != right,
        }
    }

    /// The sign that says the same with the sides exchanged.
    #[must_use]
    pub fn mirrored(self) -> Sign {
        match self {
            Sign::Less => Sign::Greater,
            Sign::LessEqual => Sign::GreaterEqual,
            Sign::Greater => Sign::Less,
            Sign::GreaterEqual => Sign::LessEqual,
            same => same,
        }
    }

    /// The sign that holds exactly where this one does not.
    #[must_use]
    pub fn negated(self) -> Sign {
        match self {
            Sign::Less => Sign::GreaterEqual,
            Sign::LessEqual => Sign::Greater,
            Sign::Greater => Sign::LessEqual,
            Sign::GreaterEqual => Sign::Less,
            Sign::Equal => Sign::NotEqual,
            Sign::NotEqual => Sign::Equal,
        }
    }

    /// As the language writes it.
    pub fn text(self) -> &'static str {
        match self {
            Sign::Less => "<",
            Sign::LessEqual => "<=",
            Sign::Greater => ">",
            Sign::GreaterEqual => ">=",
            Sign::Equal => "=",
            Sign::NotEqual => "!=",
        }
    }
}

impl Expr {
    /// Calls `visit` with each field in the expression.
    pub fn each_field(&self, visit: &mut dyn FnMut(FieldId)) {
        match self {
            Expr::Constant(_) | Expr::Variable(_) | Expr::Letters(_) => {}
            Expr::Field(field) | Expr::Length(field) => visit(*field),
            Expr::Element(field, indices) => {
                visit(*field);
                indices.iter().for_each(|i| i.each_field(visit));
            }
            Expr::Minus(inner) | Expr::Fold(_, _, inner) | Expr::Whole(inner) => inner.each_field(visit),
            Expr::Binary(_, left, right) => {
                left.each_field(visit);
                right.each_field(visit);
            }
        }
    }

    /// Returns the number of the innermost quantifier that the expression counts with, or `None` if it counts with none.
    pub fn innermost_variable(&self) -> Option<usize> {
        match self {
            Expr::Variable(variable) => Some(*variable),
            Expr::Constant(_) | Expr::Field(_) | Expr::Length(_) | Expr::Letters(_) => None,
            Expr::Element(_, indices) => indices.iter().filter_map(Expr::innermost_variable).max(),
            Expr::Minus(inner) | Expr::Fold(_, _, inner) | Expr::Whole(inner) => inner.innermost_variable(),
            Expr::Binary(_, left, right) => left.innermost_variable().max(right.innermost_variable()),
        }
    }

    /// Returns true if one element, or one row, is picked anywhere in the expression.
    pub fn has_element(&self) -> bool {
        match self {
            Expr::Element(..) => true,
            Expr::Constant(_) | Expr::Field(_) | Expr::Length(_) | Expr::Variable(_) | Expr::Letters(_) => false,
            Expr::Minus(inner) | Expr::Fold(_, _, inner) | Expr::Whole(inner) => inner.has_element(),
            Expr::Binary(_, left, right) => left.has_element() || right.has_element(),
        }
    }

    /// Whether the field occurs within a fold, or one element of it does: then a bound on the whole is none on each.
    pub fn folds(&self, field: FieldId) -> bool {
        match self {
            Expr::Constant(_) | Expr::Field(_) | Expr::Length(_) | Expr::Variable(_) | Expr::Letters(_) => false,
            Expr::Element(f, indices) => *f == field || indices.iter().any(|i| i.mentions(field)),
            Expr::Minus(inner) => inner.folds(field),
            Expr::Binary(_, left, right) => left.folds(field) || right.folds(field),
            Expr::Fold(_, _, inner) | Expr::Whole(inner) => inner.mentions(field),
        }
    }

    /// Returns true if something in the expression is a field of whichever form stands.
    pub fn has_forms(&self) -> bool {
        match self {
            Expr::Binary(Operator::Else, ..) => true,
            Expr::Binary(_, left, right) => left.has_forms() || right.has_forms(),
            Expr::Minus(inner) | Expr::Fold(_, _, inner) | Expr::Whole(inner) => inner.has_forms(),
            Expr::Element(_, indices) => indices.iter().any(Expr::has_forms),
            Expr::Constant(_) | Expr::Field(_) | Expr::Length(_) | Expr::Variable(_) | Expr::Letters(_) => false,
        }
    }

    /// Whether the field occurs anywhere in the expression.
    pub fn mentions(&self, field: FieldId) -> bool {
        let mut found = false;
        self.each_field(&mut |f| found |= f == field);
        found
    }
}
