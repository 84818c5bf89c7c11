//! Names of invalid inputs: `n-below-1`, `sum-of-n-above-300`, `a-not-distinct`.

use crate::language::{
    ArithmeticOperator, Comparison, ComparisonOperator, Constraint, ConstraintRule, Expr, FieldId, FoldKind, Format,
    GraphConstraint, GraphEdges, format_decimal,
};

/// Maximum length of a name, without the number that makes it unique.
const MAX_NAME_CHARS: usize = 60;

/// Names an input that violates a constraint.
pub(super) fn constraint_breach_name(format: &Format, constraint: &Constraint) -> String {
    let name = match &constraint.rule {
        ConstraintRule::Compare(broken) => comparison_breach_name(format, broken),
        ConstraintRule::Distinct(parts, _) => format!("{}-not-distinct", expression_list_name(format, parts)),
        ConstraintRule::Ordered(expr, sign, _) => {
            format!("{}-not-{}", expression_name(format, expr, 0), order_word(*sign))
        }
        ConstraintRule::Graph(rule) => edges_name(format, rule),
        ConstraintRule::Matches(field, _) => format!("{}-pattern", field_name(format, *field)),
        ConstraintRule::Text(text) => format!("{}-{}", field_name(format, text.field), text.property.violation_name()),
        ConstraintRule::DistinctTexts(field, _) => format!("{}-not-distinct", field_name(format, *field)),
        ConstraintRule::Formula(_) => format!("not-{}", dashed_words(&format.source_text(constraint.span))),
    };
    truncate_name(name)
}

/// Names an input that violates a comparison, after the side that is not constant.
pub(super) fn comparison_breach_name(format: &Format, comparison: &Comparison) -> String {
    let constant = |side: &[Expr]| side.iter().all(|e| matches!(e, Expr::Constant(_)));
    let is_swapped = constant(&comparison.left) && !constant(&comparison.right);
    let (left, sign, right) = match is_swapped {
        true => (&comparison.right, comparison.sign.with_sides_swapped(), &comparison.left),
        false => (&comparison.left, comparison.sign, &comparison.right),
    };
    let how = match sign {
        ComparisonOperator::Less => "not-below",
        ComparisonOperator::LessEqual => "above",
        ComparisonOperator::Greater => "not-above",
        ComparisonOperator::GreaterEqual => "below",
        ComparisonOperator::Equal => "differs-from",
        ComparisonOperator::NotEqual => "equals",
    };
    let text = |sides: &[Expr]| {
        sides.iter().map(|e| expression_name(format, e, comparison.decimals)).collect::<Vec<_>>().join("-and-")
    };
    truncate_name(format!("{}-{how}-{}", text(left), text(right)))
}

/// Names the edges of a graph.
pub(super) fn edges_name(format: &Format, rule: &GraphConstraint) -> String {
    match &rule.edges {
        GraphEdges::Lines { ends, .. } => {
            let (from, to) = (field_name(format, ends.0), field_name(format, ends.1));
            let graphs = format.constraints.iter().filter(|c| matches!(c.rule, ConstraintRule::Graph(_))).count();
            if graphs > 1 { format!("edges-{from}-{to}") } else { "edges".to_owned() }
        }
        GraphEdges::Parents { field, .. } => field_name(format, *field),
    }
}

/// Returns the name of a field.
pub(super) fn field_name(format: &Format, field: FieldId) -> String {
    format.field(field).name.clone()
}

fn order_word(sign: ComparisonOperator) -> &'static str {
    match sign {
        ComparisonOperator::Less => "increasing",
        ComparisonOperator::Greater => "decreasing",
        ComparisonOperator::GreaterEqual => "nonincreasing",
        _ => "sorted",
    }
}

fn expression_list_name(format: &Format, parts: &[Expr]) -> String {
    parts.iter().map(|part| expression_name(format, part, 0)).collect::<Vec<_>>().join("-and-")
}

/// Names a side of a comparison.
fn expression_name(format: &Format, expr: &Expr, decimals: u32) -> String {
    let side = |expr: &Expr| expression_name(format, expr, decimals);
    match expr {
        Expr::Constant(number) => format_decimal(*number, decimals).replace('-', "minus-"),
        Expr::Field(field) => field_name(format, *field),
        Expr::Length(field) => format!("length-of-{}", field_name(format, *field)),
        Expr::Element(field, indices) => {
            format!("{}-{}", field_name(format, *field), indices.iter().map(side).collect::<Vec<_>>().join("-"))
        }
        Expr::Variable(_) => "i".to_owned(),
        Expr::Sequence(inner) => side(inner),
        Expr::TextLiteral(letters) => dashed_words(&String::from_utf8_lossy(letters)),
        Expr::Negate(inner) => format!("minus-{}", side(inner)),
        // An integer compared with a real is scaled internally, which is not part of the text.
        Expr::Binary(ArithmeticOperator::Multiply, inner, scale)
            if **scale == Expr::Constant(10_i128.pow(decimals.min(36))) =>
        {
            super::breach_names::expression_name(format, inner, 0)
        }
        Expr::Binary(ArithmeticOperator::OrElse, left, _) => match &**left {
            Expr::Fold(_, _, inner) => side(inner),
            element => side(element),
        },
        Expr::Binary(operator, left, right) => format!("{}-{}-{}", side(left), operator_word(*operator), side(right)),
        Expr::Fold(FoldKind::Count(byte), _, inner) => match u8::try_from(*byte) {
            Ok(letter) if letter.is_ascii_alphanumeric() => {
                format!("count-of-{}-in-{}", char::from(letter), side(inner))
            }
            _ => format!("count-of-{byte}-in-{}", side(inner)),
        },
        Expr::Fold(fold, _, inner) => format!("{}-of-{}", fold_word(*fold), side(inner)),
    }
}

fn fold_word(fold: FoldKind) -> &'static str {
    match fold {
        FoldKind::Sum => "sum",
        FoldKind::Min => "least",
        FoldKind::Max => "most",
        FoldKind::Count(_) => "count",
        FoldKind::Size => "length",
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
