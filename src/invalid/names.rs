//! What broken things are called: `n-below-1`, `sum-of-n-above-300`, `a-not-distinct`.

use crate::format::{
    Comparison, Constraint, Edges, Expr, FieldId, Fold, Format, GraphRule, Operator, Rule, Sign, shown,
};

/// No name is longer, but for the number that tells two of them apart.
const LONGEST: usize = 60;

/// What an input is called that breaks a constraint.
pub(super) fn constraint(format: &Format, constraint: &Constraint) -> String {
    let name = match &constraint.rule {
        Rule::Compare(broken) => comparison(format, broken),
        Rule::Distinct(parts, _) => format!("{}-not-distinct", list(format, parts)),
        Rule::Ordered(expr, sign, _) => format!("{}-not-{}", side(format, expr, 0), order(*sign)),
        Rule::Graph(rule) => edges(format, rule),
        Rule::Matches(field, _) => format!("{}-pattern", field_name(format, *field)),
        Rule::DistinctTexts(field, _) => format!("{}-not-distinct", field_name(format, *field)),
        Rule::Formula(_) => format!("not-{}", words(&format.text(constraint.span))),
    };
    cut(name)
}

/// The same of a comparison, named after the side that is no constant.
pub(super) fn comparison(format: &Format, comparison: &Comparison) -> String {
    let constant = |side: &[Expr]| side.iter().all(|e| matches!(e, Expr::Constant(_)));
    let mirrored = constant(&comparison.left) && !constant(&comparison.right);
    let (left, sign, right) = match mirrored {
        true => (&comparison.right, comparison.sign.mirrored(), &comparison.left),
        false => (&comparison.left, comparison.sign, &comparison.right),
    };
    let how = match sign {
        Sign::Less => "not-below",
        Sign::LessEqual => "above",
        Sign::Greater => "not-above",
        Sign::GreaterEqual => "below",
        Sign::Equal => "differs-from",
        Sign::NotEqual => "equals",
    };
    let text =
        |sides: &[Expr]| sides.iter().map(|e| side(format, e, comparison.decimals)).collect::<Vec<_>>().join("-and-");
    cut(format!("{}-{how}-{}", text(left), text(right)))
}

/// The name of a graph's edges.
pub(super) fn edges(format: &Format, rule: &GraphRule) -> String {
    match &rule.edges {
        Edges::Lines { ends, .. } => {
            let (from, to) = (field_name(format, ends.0), field_name(format, ends.1));
            let graphs = format.constraints.iter().filter(|c| matches!(c.rule, Rule::Graph(_))).count();
            if graphs > 1 { format!("edges-{from}-{to}") } else { "edges".to_owned() }
        }
        Edges::Parents { field, .. } => field_name(format, *field),
    }
}

/// A field's name.
pub(super) fn field_name(format: &Format, field: FieldId) -> String {
    format.field(field).name.clone()
}

fn order(sign: Sign) -> &'static str {
    match sign {
        Sign::Less => "increasing",
        Sign::Greater => "decreasing",
        Sign::GreaterEqual => "nonincreasing",
        _ => "sorted",
    }
}

fn list(format: &Format, parts: &[Expr]) -> String {
    parts.iter().map(|part| side(format, part, 0)).collect::<Vec<_>>().join("-and-")
}

/// A side of a comparison in words.
fn side(format: &Format, expr: &Expr, decimals: u32) -> String {
    let side = |expr: &Expr| side(format, expr, decimals);
    match expr {
        Expr::Constant(number) => shown(*number, decimals).replace('-', "minus-"),
        Expr::Field(field) => field_name(format, *field),
        Expr::Length(field) => format!("length-of-{}", field_name(format, *field)),
        Expr::Element(field, indices) => {
            format!("{}-{}", field_name(format, *field), indices.iter().map(side).collect::<Vec<_>>().join("-"))
        }
        Expr::Variable(_) => "i".to_owned(),
        Expr::Whole(inner) => side(inner),
        Expr::Letters(letters) => words(&String::from_utf8_lossy(letters)),
        Expr::Minus(inner) => format!("minus-{}", side(inner)),
        // A whole number that is compared with a real stands multiplied; nobody wrote that.
        Expr::Binary(Operator::Times, inner, scale) if **scale == Expr::Constant(10_i128.pow(decimals.min(36))) => {
            super::names::side(format, inner, 0)
        }
        Expr::Binary(Operator::Else, left, _) => match &**left {
            Expr::Fold(_, _, inner) => side(inner),
            element => side(element),
        },
        Expr::Binary(operator, left, right) => format!("{}-{}-{}", side(left), word(*operator), side(right)),
        Expr::Fold(Fold::Count(what), _, inner) => match u8::try_from(*what) {
            Ok(letter) if letter.is_ascii_alphanumeric() => {
                format!("count-of-{}-in-{}", char::from(letter), side(inner))
            }
            _ => format!("count-of-{what}-in-{}", side(inner)),
        },
        Expr::Fold(fold, _, inner) => format!("{}-of-{}", fold_word(*fold), side(inner)),
    }
}

fn fold_word(fold: Fold) -> &'static str {
    match fold {
        Fold::Sum => "sum",
        Fold::Min => "least",
        Fold::Max => "most",
        Fold::Count(_) => "count",
        Fold::Size => "length",
    }
}

fn word(operator: Operator) -> &'static str {
    match operator {
        Operator::Plus => "plus",
        Operator::Minus => "minus",
        Operator::Times => "times",
        Operator::Divide => "over",
        Operator::Modulo => "mod",
        Operator::Power => "to-the",
        Operator::Least => "or-less",
        Operator::Greatest => "or-more",
        Operator::Else => "or",
    }
}

/// The letters and digits of a text, with single dashes between.
fn words(text: &str) -> String {
    const SIGNS: &[(&str, &str)] = &[
        ("=>", " so "),
        ("<=", " at-most "),
        (">=", " at-least "),
        ("!=", " not "),
        ("<", " below "),
        (">", " above "),
        ("=", " is "),
    ];
    let kept = SIGNS.iter().fold(text.to_owned(), |text, (sign, word)| text.replace(sign, word));
    let parts = kept.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-")
}

fn cut(name: String) -> String {
    let kept: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).take(LONGEST).collect();
    kept.trim_end_matches(['-', '.']).to_owned()
}
