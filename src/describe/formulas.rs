//! Formulas: simple ones in words, nested ones as formulas.

use super::maths::Maths;
use super::relations::chains;
use super::{Author, capitalised, list_and, math};
use crate::format::{Comparison, Expr, Formula, Operator, Quantified, Sign};

impl Author<'_> {
    /// A formula as a sentence; `implies` if it was written as a condition and what holds under it.
    pub(super) fn formula(&self, formula: &Formula, implies: bool) -> String {
        format!("{}.", capitalised(&words(&self.maths, formula, implies)))
    }
}

/// A formula in words, without its full stop.
fn words(maths: &Maths<'_>, formula: &Formula, implies: bool) -> String {
    match formula {
        Formula::Each(quantified) => {
            let (range, maths, body) = ranges(maths, quantified);
            let body = words(&maths, body, implies);
            match body.starts_with("if ") || body.starts_with("for ") {
                true => format!("for all {range}: {body}"),
                false => format!("{body} for all {range}"),
            }
        }
        Formula::Some(quantified) => {
            let inner = maths.with(&quantified.name);
            let body = words(&inner, &quantified.body, implies);
            let name = math(&quantified.name);
            format!("there is at least one {name} with {} such that {body}", math(&bounds(maths, quantified)))
        }
        Formula::Any(parts) if implies && parts.len() == 2 => {
            let (condition, result) = (words(maths, &negated(&parts[0]), false), words(maths, &parts[1], false));
            format!("if {condition}, then {result}")
        }
        Formula::Compare(comparison) => math(&maths.relation(comparison).text()),
        Formula::All(parts) => match parts.iter().map(compared).collect::<Option<Vec<_>>>() {
            Some(comparisons) => {
                let formulas = chains(comparisons.into_iter().map(|c| maths.relation(c)));
                list_and(&formulas.iter().map(|f| math(f)).collect::<Vec<_>>())
            }
            None => math(&tex(maths, formula)),
        },
        Formula::Any(parts) => match parts.iter().all(|part| compared(part).is_some()) {
            true => parts.iter().map(|part| words(maths, part, false)).collect::<Vec<_>>().join(" or "),
            false => math(&tex(maths, formula)),
        },
    }
}

fn compared(formula: &Formula) -> Option<&Comparison> {
    match formula {
        Formula::Compare(comparison) => Some(comparison),
        _ => None,
    }
}

/// What quantifiers one in another count through, as one range where that is what is meant: $1 \le j < i \le n$.
fn ranges<'f, 'q>(maths: &Maths<'f>, outer: &'q Quantified) -> (String, Maths<'f>, &'q Formula) {
    let own = maths.with(&outer.name);
    let Formula::Each(inner) = &outer.body else { return (math(&bounds(maths, outer)), own, &outer.body) };
    let both = own.with(&inner.name);
    let variable = Box::new(Expr::Variable(outer.variable));
    let one = || Box::new(Expr::Constant(1));
    let ((first, last), (i, j)) = (&outer.range, (&outer.name, &inner.name));
    let (first, last) = (maths.expr(first), maths.expr(last));
    let range = if inner.range == (outer.range.0.clone(), Expr::Binary(Operator::Minus, variable.clone(), one())) {
        math(&format!("{first} \\le {j} < {i} \\le {last}"))
    } else if inner.range == (Expr::Binary(Operator::Plus, variable, one()), outer.range.1.clone()) {
        math(&format!("{first} \\le {i} < {j} \\le {last}"))
    } else if inner.range == outer.range {
        math(&format!("{first} \\le {i}, {j} \\le {last}"))
    } else {
        format!("{} and {}", math(&bounds(maths, outer)), math(&bounds(&own, inner)))
    };
    (range, both, &inner.body)
}

/// `1 \le i \le n`
fn bounds(maths: &Maths<'_>, quantified: &Quantified) -> String {
    let (first, last) = (maths.expr(&quantified.range.0), maths.expr(&quantified.range.1));
    format!("{first} \\le {} \\le {last}", quantified.name)
}

/// A formula as nothing but a formula.
fn tex(maths: &Maths<'_>, formula: &Formula) -> String {
    let inside = |part: &Formula| match part {
        Formula::Compare(_) => tex(maths, part),
        _ => format!("({})", tex(maths, part)),
    };
    let joined = |parts: &[Formula], sign: &str| parts.iter().map(inside).collect::<Vec<_>>().join(sign);
    match formula {
        Formula::Compare(comparison) => maths.relation(comparison).text(),
        Formula::All(parts) => joined(parts, " \\land "),
        Formula::Any(parts) => joined(parts, " \\lor "),
        Formula::Each(quantified) | Formula::Some(quantified) => {
            let sign = if matches!(formula, Formula::Each(_)) { "\\forall" } else { "\\exists" };
            let inner = maths.with(&quantified.name);
            let range = bounds(maths, quantified);
            format!("{sign}\\, {range} : {}", tex(&inner, &quantified.body))
        }
    }
}

/// What holds exactly where a formula does not.
fn negated(formula: &Formula) -> Formula {
    let all = |parts: &[Formula]| parts.iter().map(negated).collect();
    let inner = |q: &Quantified| Box::new(Quantified { body: negated(&q.body), ..q.clone() });
    match formula {
        Formula::Compare(c) => Formula::Compare(Comparison { sign: c.sign.negated(), ..c.clone() }),
        Formula::All(parts) => Formula::Any(all(parts)),
        Formula::Any(parts) => Formula::All(all(parts)),
        Formula::Each(quantified) => Formula::Some(inner(quantified)),
        Formula::Some(quantified) => Formula::Each(inner(quantified)),
    }
}

/// `n` is even, odd, a multiple of `k`: what a remainder that is compared with a constant says.
pub(super) fn divisibility(maths: &Maths<'_>, comparison: &Comparison) -> Option<String> {
    let ([Expr::Binary(Operator::Modulo, what, by)], [Expr::Constant(rest)]) = (&*comparison.left, &*comparison.right)
    else {
        return None;
    };
    let what = math(&maths.expr(what));
    match (&**by, rest, comparison.sign) {
        (Expr::Constant(2), 0, Sign::Equal) | (Expr::Constant(2), 1, Sign::NotEqual) => {
            Some(format!("{what} is even."))
        }
        (Expr::Constant(2), 1, Sign::Equal) | (Expr::Constant(2), 0, Sign::NotEqual) => Some(format!("{what} is odd.")),
        (by, 0, Sign::Equal) => Some(format!("{what} is a multiple of {}.", math(&maths.expr(by)))),
        (by, 0, Sign::NotEqual) => Some(format!("{what} is not a multiple of {}.", math(&maths.expr(by)))),
        _ => None,
    }
}
