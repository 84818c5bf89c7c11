//! Sentences for formulas: simple ones in words, nested ones as TeX.

use super::relation_chains::chain_relations;
use super::tex::TexWriter;
use crate::constraints::{inline_math, negate_formula};
use crate::language::{
    ArithmeticOperator, Comparison, ComparisonOperator, Expr, Formula, NumberFunction, QuantifiedFormula,
};
use rebut_diagnostics::list_and;

/// Returns a formula in words, without its full stop.
pub(super) fn formula_in_words(maths: &TexWriter<'_>, formula: &Formula, implies: bool) -> String {
    match formula {
        Formula::ForAll(quantified) => {
            let (range, maths, body) = quantifier_range(maths, quantified);
            let body = formula_in_words(&maths, body, implies);
            match body.starts_with("if ") || body.starts_with("for ") {
                true => format!("for all {range}: {body}"),
                false => format!("{body} for all {range}"),
            }
        }
        Formula::Exists(quantified) => {
            let inner = maths.with_variable(&quantified.name);
            let body = formula_in_words(&inner, &quantified.body, implies);
            let name = inline_math(&quantified.name);
            format!(
                "there is at least one {name} with {} such that {body}",
                inline_math(&quantifier_bounds(maths, quantified))
            )
        }
        Formula::Any(parts) if implies && parts.len() == 2 => {
            let (condition, result) =
                (formula_in_words(maths, &negate_formula(&parts[0]), false), formula_in_words(maths, &parts[1], false));
            format!("if {condition}, then {result}")
        }
        Formula::Compare(comparison) => match primality(comparison) {
            Some((what, is_prime)) => primality_phrase(maths, what, is_prime),
            None => inline_math(&maths.to_relation(comparison).to_tex()),
        },
        Formula::All(parts) => match parts.iter().map(as_relation).collect::<Option<Vec<_>>>() {
            Some(comparisons) => {
                let formulas = chain_relations(comparisons.into_iter().map(|c| maths.to_relation(c)));
                list_and(&formulas.iter().map(|f| inline_math(f)).collect::<Vec<_>>())
            }
            None if parts.iter().all(|part| as_comparison(part).is_some()) => {
                list_and(&parts.iter().map(|part| formula_in_words(maths, part, false)).collect::<Vec<_>>())
            }
            None => inline_math(&formula_tex(maths, formula)),
        },
        Formula::Any(parts) => match parts.iter().all(|part| as_comparison(part).is_some()) {
            true => parts.iter().map(|part| formula_in_words(maths, part, false)).collect::<Vec<_>>().join(" or "),
            false => inline_math(&formula_tex(maths, formula)),
        },
    }
}

fn as_comparison(formula: &Formula) -> Option<&Comparison> {
    match formula {
        Formula::Compare(comparison) => Some(comparison),
        _ => None,
    }
}

/// Returns a comparison that is best written as a formula.
fn as_relation(formula: &Formula) -> Option<&Comparison> {
    as_comparison(formula).filter(|comparison| primality(comparison).is_none())
}

/// Returns the number that a comparison says to be prime or not to be.
fn primality(comparison: &Comparison) -> Option<(&Expr, bool)> {
    match (&*comparison.left, comparison.sign, &*comparison.right) {
        ([Expr::Call(NumberFunction::Prime, what)], ComparisonOperator::Equal, [Expr::Constant(1)]) => {
            Some((what, true))
        }
        ([Expr::Call(NumberFunction::Prime, what)], ComparisonOperator::NotEqual, [Expr::Constant(1)]) => {
            Some((what, false))
        }
        _ => None,
    }
}

fn primality_phrase(maths: &TexWriter<'_>, what: &Expr, is_prime: bool) -> String {
    let what = inline_math(&maths.expression_tex(what));
    if is_prime { format!("{what} is prime") } else { format!("{what} is not prime") }
}

/// Returns the range of nested quantifiers, as one chain where possible: $1 \le j < i \le n$.
fn quantifier_range<'f, 'q>(
    maths: &TexWriter<'f>,
    outer: &'q QuantifiedFormula,
) -> (String, TexWriter<'f>, &'q Formula) {
    let own = maths.with_variable(&outer.name);
    let Formula::ForAll(inner) = &outer.body else {
        return (inline_math(&quantifier_bounds(maths, outer)), own, &outer.body);
    };
    let both = own.with_variable(&inner.name);
    let variable = Box::new(Expr::Variable(outer.variable));
    let one = || Box::new(Expr::Constant(1));
    let ((first, last), (i, j)) = (&outer.range, (&outer.name, &inner.name));
    let (first, last) = (maths.expression_tex(first), maths.expression_tex(last));
    let range = if inner.range
        == (outer.range.0.clone(), Expr::Binary(ArithmeticOperator::Subtract, variable.clone(), one()))
    {
        inline_math(&format!("{first} \\le {j} < {i} \\le {last}"))
    } else if inner.range == (Expr::Binary(ArithmeticOperator::Add, variable, one()), outer.range.1.clone()) {
        inline_math(&format!("{first} \\le {i} < {j} \\le {last}"))
    } else if inner.range == outer.range {
        inline_math(&format!("{first} \\le {i}, {j} \\le {last}"))
    } else {
        format!(
            "{} and {}",
            inline_math(&quantifier_bounds(maths, outer)),
            inline_math(&quantifier_bounds(&own, inner))
        )
    };
    (range, both, &inner.body)
}

/// Returns `1 \le i \le n`.
fn quantifier_bounds(maths: &TexWriter<'_>, quantified: &QuantifiedFormula) -> String {
    let (first, last) = (maths.expression_tex(&quantified.range.0), maths.expression_tex(&quantified.range.1));
    format!("{first} \\le {} \\le {last}", quantified.name)
}

/// Returns a formula in TeX.
fn formula_tex(maths: &TexWriter<'_>, formula: &Formula) -> String {
    let inside = |part: &Formula| match part {
        Formula::Compare(_) => formula_tex(maths, part),
        _ => format!("({})", formula_tex(maths, part)),
    };
    let joined = |parts: &[Formula], sign: &str| parts.iter().map(inside).collect::<Vec<_>>().join(sign);
    match formula {
        Formula::Compare(comparison) => match primality(comparison) {
            Some((what, true)) => format!("{} \\text{{ is prime}}", maths.expression_tex(what)),
            Some((what, false)) => format!("{} \\text{{ is not prime}}", maths.expression_tex(what)),
            None => maths.to_relation(comparison).to_tex(),
        },
        Formula::All(parts) => joined(parts, " \\land "),
        Formula::Any(parts) => joined(parts, " \\lor "),
        Formula::ForAll(quantified) | Formula::Exists(quantified) => {
            let sign = if matches!(formula, Formula::ForAll(_)) { "\\forall" } else { "\\exists" };
            let inner = maths.with_variable(&quantified.name);
            let range = quantifier_bounds(maths, quantified);
            format!("{sign}\\, {range} : {}", formula_tex(&inner, &quantified.body))
        }
    }
}

/// Returns the sentence for a remainder compared with a constant: `n` is even, odd, a multiple of `k`; or for a prime.
pub(super) fn divisibility_sentence(maths: &TexWriter<'_>, comparison: &Comparison) -> Option<String> {
    if let Some((what, is_prime)) = primality(comparison) {
        return Some(format!("{}.", primality_phrase(maths, what, is_prime)));
    }
    let ([Expr::Binary(ArithmeticOperator::Modulo, what, by)], [Expr::Constant(rest)]) =
        (&*comparison.left, &*comparison.right)
    else {
        return None;
    };
    let what = inline_math(&maths.expression_tex(what));
    match (&**by, rest, comparison.sign) {
        (Expr::Constant(2), 0, ComparisonOperator::Equal) | (Expr::Constant(2), 1, ComparisonOperator::NotEqual) => {
            Some(format!("{what} is even."))
        }
        (Expr::Constant(2), 1, ComparisonOperator::Equal) | (Expr::Constant(2), 0, ComparisonOperator::NotEqual) => {
            Some(format!("{what} is odd."))
        }
        (by, 0, ComparisonOperator::Equal) => {
            Some(format!("{what} is a multiple of {}.", inline_math(&maths.expression_tex(by))))
        }
        (by, 0, ComparisonOperator::NotEqual) => {
            Some(format!("{what} is not a multiple of {}.", inline_math(&maths.expression_tex(by))))
        }
        _ => None,
    }
}
