//! Expressions over fields.

use super::ids::{BlockId, FieldId};

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
    /// Number of different values.
    Distinct,
    /// Number of pairs of which the first is greater than the second.
    Inversions,
    /// Number of cycles of a permutation of consecutive numbers; others have none.
    Cycles,
}

impl FoldKind {
    /// Returns the functions of formats that depend on how the values of an array relate to each other. Only the repair of
    /// formulas can move the elements for them.
    pub fn is_relational(self) -> bool {
        matches!(self, FoldKind::Distinct | FoldKind::Inversions | FoldKind::Cycles)
    }
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

// Functions of one number.

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFunction {
    /// 1 if the number is prime, otherwise 0.
    Prime,
}

impl NumberFunction {
    /// Returns the value for a number.
    pub fn apply_to(self, number: i128) -> i128 {
        match self {
            NumberFunction::Prime => i128::from(is_prime(number)),
        }
    }

    /// Returns the name in a format's text.
    pub const fn name(self) -> &'static str {
        match self {
            NumberFunction::Prime => "prime",
        }
    }
}

/// Bases that tell every composite number below 3.3 * 10^24 from the primes.
///
/// Source: J. Sorenson and J. Webster, "Strong pseudoprimes to twelve prime bases", 2015.
const BASES: [u128; 13] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41];

/// The Miller-Rabin test. Above 3.3 * 10^24 no number is known that it calls prime by mistake.
fn is_prime(number: i128) -> bool {
    let Ok(number) = u128::try_from(number) else { return false };
    if number < 2 {
        return false;
    }
    if let Some(factor) = BASES.iter().find(|base| number.is_multiple_of(**base)) {
        return number == *factor;
    }
    let twos = (number - 1).trailing_zeros();
    let odd = (number - 1) >> twos;
    BASES.iter().all(|base| passes_round(number, *base, odd, twos))
}

/// Returns true if a base does not prove that `number = odd * 2^twos + 1` is composite.
fn passes_round(number: u128, base: u128, odd: u128, twos: u32) -> bool {
    let mut power = power_modulo(base, odd, number);
    if power == 1 || power == number - 1 {
        return true;
    }
    for _ in 1..twos {
        power = multiply_modulo(power, power, number);
        if power == number - 1 {
            return true;
        }
    }
    false
}

fn power_modulo(mut base: u128, mut exponent: u128, modulus: u128) -> u128 {
    let mut power = 1;
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = multiply_modulo(power, base, modulus);
        }
        base = multiply_modulo(base, base, modulus);
        exponent /= 2;
    }
    power
}

/// Multiplies two numbers below a modulus that is below 2^127, bit by bit if their product does not fit.
fn multiply_modulo(a: u128, b: u128, modulus: u128) -> u128 {
    if let Some(product) = a.checked_mul(b) {
        return product % modulus;
    }
    let (mut sum, mut term, mut rest) = (0, a, b);
    while rest > 0 {
        if rest % 2 == 1 {
            sum = (sum + term) % modulus;
        }
        term = term * 2 % modulus;
        rest /= 2;
    }
    sum
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

    #[test]
    fn primes_are_those_that_no_smaller_number_divides() {
        for number in -3..2000 {
            let is_prime_by_division = number >= 2 && (2..number).all(|divisor| number % divisor != 0);
            assert_eq!(is_prime(number), is_prime_by_division, "{number}");
        }
    }

    #[test]
    fn large_numbers_are_told_apart() {
        // The largest prime below 2^64, a strong pseudoprime to the first nine bases, a square, and two Mersenne numbers.
        for (number, expected) in [
            (18_446_744_073_709_551_557, true),
            (3_825_123_056_546_413_051, false),
            (999_999_937 * 999_999_937, false),
            ((1 << 89) - 1, true),
            ((1 << 83) - 1, false),
            (999_999_999_999_999_989, true),
        ] {
            assert_eq!(is_prime(number), expected, "{number}");
        }
    }
}
