//! Expressions over fields.

use super::ids::{BlockId, FieldId};
use super::number_function::NumberFunction;

/// An arithmetic expression over fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number, or the code of a character.
    Constant(i128),
    /// A field: a number, or each number of an array in turn.
    Field(FieldId),
    /// The length of a text or a one-dimensional array.
    Length(FieldId),
    /// An element, indexed from 1 in each dimension; with fewer indices than dimensions, all elements of a row. If a
    /// field in a repeated block has one index more than dimensions, the first index counts the repetitions. In a text
    /// without brackets it always does: see [`Format::indexes_repetitions`](super::Format::indexes_repetitions).
    Element(FieldId, Vec<Expr>),
    /// The variable of a quantifier, numbered from the outermost one.
    Variable(usize),
    /// Negation.
    Negate(Box<Expr>),
    /// A function of one number.
    Call(NumberFunction, Box<Expr>),
    /// An arithmetic operation.
    Binary(ArithmeticOperator, Box<Expr>, Box<Expr>),
    /// A reduction of many numbers to one.
    Fold(FoldKind, FoldRange, Box<Expr>),
    /// A reduction of the values that an expression has for consecutive numbers: `sum(a[1..i])`.
    Slice(Box<SliceFold>),
    /// A text, an array or a row as a unit, ordered lexicographically; only as a side of a comparison.
    Sequence(Box<Expr>),
    /// A text literal to compare a sequence with.
    TextLiteral(Vec<u8>),
}

/// Arithmetic on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArithmeticOperator {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient, rounded towards negative infinity.
    Divide,
    /// Remainder of that division.
    Modulo,
    /// Power with a nonnegative exponent.
    Power,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
    /// Greatest common divisor, never negative; of zeros it is 0.
    Gcd,
    /// Exclusive or of the bits, in two's complement.
    Xor,
    /// The left operand if it is present, else the right one: a field that several alternatives of an `either` share.
    OrElse,
}

impl ArithmeticOperator {
    /// Returns the operator that is written like this between two numbers: one of `+ - * / % ^`.
    pub fn from_sign(sign: &str) -> Option<ArithmeticOperator> {
        Some(match sign {
            "+" => ArithmeticOperator::Add,
            "-" => ArithmeticOperator::Subtract,
            "*" => ArithmeticOperator::Multiply,
            "/" => ArithmeticOperator::Divide,
            "%" => ArithmeticOperator::Modulo,
            "^" => ArithmeticOperator::Power,
            _ => return None,
        })
    }
}

/// A reduction of many numbers to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// Their sum.
    Sum,
    /// Their minimum.
    Min,
    /// Their maximum.
    Max,
    /// Their greatest common divisor; 0 if there are none.
    Gcd,
    /// The exclusive or of their bits; 0 if there are none.
    Xor,
    /// Number of occurrences of this value.
    Count(i128),
    /// Number of elements: the length of a row.
    Size,
}

/// A reduction of consecutive elements or repetitions: `sum(a[l..r])`, `count(op[1..i-1], "push")`. It is the fold of
/// `each` for all numbers in `range`; numbers for which `each` is absent are skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceFold {
    /// The reduction.
    pub reduction: SliceReduction,
    /// Number of the variable that runs over the range: the next one after those of the enclosing quantifiers.
    pub variable: usize,
    /// First and last number; there are none if the last is smaller.
    pub range: (Expr, Expr),
    /// The element for each number.
    pub each: Expr,
}

/// A reduction of consecutive elements to one number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SliceReduction {
    /// The same as of a whole array.
    Fold(FoldKind),
    /// How many of them equal a value, which need not be constant.
    Count(Expr),
}

impl SliceFold {
    /// Returns the value to count.
    pub fn wanted(&self) -> Option<&Expr> {
        match &self.reduction {
            SliceReduction::Count(wanted) => Some(wanted),
            SliceReduction::Fold(_) => None,
        }
    }
}

/// The values that a fold runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldRange {
    /// All elements of the arrays in its expression.
    Elements,
    /// All instances of a repeated block.
    Instances(BlockId),
    /// All instances of an optional block within the repetition around it.
    Occurrences(OptionalBlocks),
}

/// The instances of a block below `if` or in an alternative of `either` within one iteration of the enclosing
/// repetition. Unlike the instances of a repeated block they have no count, and some repetitions lack one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionalBlocks {
    /// The outermost block that can have several instances: the innermost repetition around `block`, or the outermost
    /// condition or alternative if nothing repeats around it.
    pub outermost: BlockId,
    /// The block of the instances.
    pub block: BlockId,
}

impl FoldRange {
    /// Returns the innermost block that the fold runs over, or `None` for the elements of arrays.
    pub fn innermost_block(self) -> Option<BlockId> {
        match self {
            FoldRange::Elements => None,
            FoldRange::Instances(block) | FoldRange::Occurrences(OptionalBlocks { block, .. }) => Some(block),
        }
    }

    /// Returns the outermost block that the fold runs over; its parent contains them all. Returns `None`
    /// for the elements of arrays.
    pub fn outermost_block(self) -> Option<BlockId> {
        match self {
            FoldRange::Elements => None,
            FoldRange::Instances(block) | FoldRange::Occurrences(OptionalBlocks { outermost: block, .. }) => {
                Some(block)
            }
        }
    }
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonOperator {
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

impl ComparisonOperator {
    /// Returns true if `left operator right` holds.
    pub fn compare<T: Ord>(self, left: &T, right: &T) -> bool {
        match self {
            ComparisonOperator::Less => left < right,
            ComparisonOperator::LessEqual => left <= right,
            ComparisonOperator::Greater => left > right,
            ComparisonOperator::GreaterEqual => left >= right,
            ComparisonOperator::Equal => left == right,
            ComparisonOperator::NotEqual => left != right,
        }
    }

    /// Returns the operator for the same comparison with its sides swapped.
    #[must_use]
    pub fn with_sides_swapped(self) -> ComparisonOperator {
        match self {
            ComparisonOperator::Less => ComparisonOperator::Greater,
            ComparisonOperator::LessEqual => ComparisonOperator::GreaterEqual,
            ComparisonOperator::Greater => ComparisonOperator::Less,
            ComparisonOperator::GreaterEqual => ComparisonOperator::LessEqual,
            same => same,
        }
    }

    /// Returns the operator that holds exactly if this one does not.
    #[must_use]
    pub fn negate_operator(self) -> ComparisonOperator {
        match self {
            ComparisonOperator::Less => ComparisonOperator::GreaterEqual,
            ComparisonOperator::LessEqual => ComparisonOperator::Greater,
            ComparisonOperator::Greater => ComparisonOperator::LessEqual,
            ComparisonOperator::GreaterEqual => ComparisonOperator::Less,
            ComparisonOperator::Equal => ComparisonOperator::NotEqual,
            ComparisonOperator::NotEqual => ComparisonOperator::Equal,
        }
    }

    /// Returns the operator as written in a format.
    pub fn as_str(self) -> &'static str {
        match self {
            ComparisonOperator::Less => "<",
            ComparisonOperator::LessEqual => "<=",
            ComparisonOperator::Greater => ">",
            ComparisonOperator::GreaterEqual => ">=",
            ComparisonOperator::Equal => "=",
            ComparisonOperator::NotEqual => "!=",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERATORS: [ComparisonOperator; 6] = [
        ComparisonOperator::Less,
        ComparisonOperator::LessEqual,
        ComparisonOperator::Greater,
        ComparisonOperator::GreaterEqual,
        ComparisonOperator::Equal,
        ComparisonOperator::NotEqual,
    ];

    #[test]
    fn operators_are_swapped_and_negated_like_their_comparisons() {
        for sign in OPERATORS {
            for (a, b) in [(1, 2), (2, 2), (3, 2)] {
                assert_eq!(sign.with_sides_swapped().compare(&b, &a), sign.compare(&a, &b), "{a} {sign:?} {b}");
                assert_ne!(sign.negate_operator().compare(&a, &b), sign.compare(&a, &b), "{a} {sign:?} {b}");
            }
        }
    }
}
