//! Names of invalid inputs: `n-below-1`, `sum-of-n-above-300`, `a-not-distinct`.

use crate::model::{
    ArithmeticOperator, Comparison, ComparisonOperator, Constraint, Expr, FieldId, FoldKind, Format, SliceReduction,
    format_decimal,
};

/// Maximum length of a name, without the number that makes it unique.
const MAX_NAME_CHARS: usize = 60;

/// The names of the parts of a constraint, in the names of inputs that violate it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BreachNames<'f> {
    pub(super) format: &'f Format,
    constraint: &'f Constraint,
}

impl<'f> BreachNames<'f> {
    pub(crate) fn new(format: &'f Format, constraint: &'f Constraint) -> Self {
        BreachNames { format, constraint }
    }

    /// Names an input that violates the constraint as a whole.
    pub(crate) fn constraint_name(&self) -> String {
        truncate_name(self.constraint.rule.kind().breach_name(self))
    }

    /// Names an input that violates a comparison, after the side that is not constant.
    pub(super) fn comparison_name(&self, comparison: &Comparison) -> String {
        let constant = |side: &[Expr]| side.iter().all(|e| matches!(e, Expr::Constant(_)));
        let is_swapped = constant(&comparison.left) && !constant(&comparison.right);
        let (left, sign, right) = match is_swapped {
            true => (&comparison.right, comparison.sign.with_sides_swapped(), &comparison.left),
            false => (&comparison.left, comparison.sign, &comparison.right),
        };
        if let ([Expr::Call(function, inner)], [Expr::Constant(1)]) = (&**left, &**right) {
            let what = self.expression_name(inner, 0);
            return truncate_name(match sign {
                ComparisonOperator::NotEqual => format!("{what}-{}", function.name()),
                _ => format!("{what}-not-{}", function.name()),
            });
        }
        let how = match sign {
            ComparisonOperator::Less => "not-below",
            ComparisonOperator::LessEqual => "above",
            ComparisonOperator::Greater => "not-above",
            ComparisonOperator::GreaterEqual => "below",
            ComparisonOperator::Equal => "differs-from",
            ComparisonOperator::NotEqual => "equals",
        };
        let text = |sides: &[Expr]| {
            sides.iter().map(|e| self.expression_name(e, comparison.decimals)).collect::<Vec<_>>().join("-and-")
        };
        truncate_name(format!("{}-{how}-{}", text(left), text(right)))
    }

    pub(super) fn field_name(&self, field: FieldId) -> String {
        self.format.field(field).name.clone()
    }

    pub(super) fn expression_name(&self, expr: &Expr, decimals: u32) -> String {
        let side = |expr: &Expr| self.expression_name(expr, decimals);
        match expr {
            Expr::Constant(number) => format_decimal(*number, decimals).replace('-', "minus-"),
            Expr::Field(field) => self.field_name(*field),
            Expr::Length(field) => format!("length-of-{}", self.field_name(*field)),
            Expr::Element(field, indices) => {
                format!("{}-{}", self.field_name(*field), indices.iter().map(side).collect::<Vec<_>>().join("-"))
            }
            Expr::Variable(_) => "i".to_owned(),
            Expr::Sequence(inner) => side(inner),
            Expr::TextLiteral(letters) => dashed_words(&String::from_utf8_lossy(letters)),
            Expr::Negate(inner) => format!("minus-{}", side(inner)),
            Expr::Call(function, inner) => format!("{}-{}", function.name(), side(inner)),
            // An integer compared with a real is scaled internally, which is not part of the text.
            Expr::Binary(ArithmeticOperator::Multiply, inner, scale)
                if **scale == Expr::Constant(10_i128.pow(decimals.min(36))) =>
            {
                self.expression_name(inner, 0)
            }
            Expr::Binary(ArithmeticOperator::OrElse, left, _) => match &**left {
                Expr::Fold(_, _, inner) => side(inner),
                element => side(element),
            },
            Expr::Binary(operator, left, right) => {
                format!("{}-{}-{}", side(left), operator_word(*operator), side(right))
            }
            Expr::Slice(slice) => {
                let word = match slice.reduction {
                    SliceReduction::Fold(fold) => fold_word(fold),
                    SliceReduction::Count(_) => "count",
                };
                format!("{word}-of-{}-to-{}", side(&slice.each), side(&slice.range.1))
            }
            Expr::Fold(FoldKind::Count(byte), _, inner) => match u8::try_from(*byte) {
                Ok(letter) if letter.is_ascii_alphanumeric() => {
                    format!("count-of-{}-in-{}", char::from(letter), side(inner))
                }
                _ => format!("count-of-{byte}-in-{}", side(inner)),
            },
            Expr::Fold(fold, _, inner) => format!("{}-of-{}", fold_word(*fold), side(inner)),
        }
    }

    /// Returns the words of the constraint in the format's text.
    pub(super) fn written_words(&self) -> String {
        dashed_words(&self.format.source_text(self.constraint.span))
    }
}

fn fold_word(fold: FoldKind) -> &'static str {
    match fold {
        FoldKind::Sum => "sum",
        FoldKind::Min => "least",
        FoldKind::Max => "most",
        FoldKind::Gcd => "gcd",
        FoldKind::Xor => "xor",
        FoldKind::Count(_) => "count",
        FoldKind::Size => "length",
        FoldKind::Distinct => "distinct",
        FoldKind::Inversions => "inversions",
        FoldKind::Cycles => "cycles",
    }
}

fn operator_word(operator: ArithmeticOperator) -> &'static str {
    match operator {
        ArithmeticOperator::Add => "plus",
        ArithmeticOperator::Subtract => "minus",
        ArithmeticOperator::Multiply => "times",
        ArithmeticOperator::Divide => "over",
        ArithmeticOperator::Modulo => "mod",
        ArithmeticOperator::Power => "to-the",
        ArithmeticOperator::Min => "or-less",
        ArithmeticOperator::Max => "or-more",
        ArithmeticOperator::Gcd => "gcd",
        ArithmeticOperator::Xor => "xor",
        ArithmeticOperator::OrElse => "or",
    }
}

/// Returns the letters and digits of a text, with single dashes between words.
fn dashed_words(text: &str) -> String {
    const SIGN_WORDS: &[(&str, &str)] = &[
        ("=>", " so "),
        ("<=", " at-most "),
        (">=", " at-least "),
        ("!=", " not "),
        ("<", " below "),
        (">", " above "),
        ("=", " is "),
    ];
    let kept = SIGN_WORDS.iter().fold(text.to_owned(), |text, (sign, word)| text.replace(sign, word));
    let parts = kept.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-")
}

fn truncate_name(name: String) -> String {
    let kept: String =
        name.chars().filter(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).take(MAX_NAME_CHARS).collect();
    kept.trim_end_matches(['-', '.']).to_owned()
}
