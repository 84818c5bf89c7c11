//! The same layout under the opposite of a constraint: its valid inputs are violations.

use super::breach::Breach;
use crate::format::{
    Comparison, Constraint, Count, Expr, Format, Formula, Interval, Kind, Operator, Quantified, Rule, Sign,
};
use crate::generate::smallest_size;

/// The formats in which a constraint is replaced by its opposite, those that break it least first, and at last one
/// that does not mention it. The `dropped` constraints are left out of all.
pub(super) fn opposites(format: &Format, breach: &Breach, dropped: &[usize]) -> Vec<Format> {
    let kept = (0..format.constraints.len()).filter(|i| *i != breach.constraint && !dropped.contains(i));
    let kept: Vec<Constraint> = kept.map(|i| format.constraints[i].clone()).collect();
    let with = |rules: Vec<Rule>| {
        let new = rules.into_iter().map(|rule| Constraint { rule, ..breach.must_break.clone() });
        format.with_constraints(kept.iter().cloned().chain(new).collect())
    };
    replacements(breach).into_iter().filter_map(with).collect()
}

/// The same format with numbers that stay near the simplest: first tiny ones, then small ones. Only where the rule
/// names a number beyond that are all of them needed; otherwise what cannot be met would be sought in huge inputs.
pub(super) fn tiers(mut format: Format, rule: &Rule) -> Vec<Format> {
    const NEAR: [i128; 2] = [6, 200];
    for block in &mut format.blocks {
        if let Count::Until { range, .. } = &mut block.count {
            // Without a repetition there is nothing in it to break.
            range.lo = range.lo.max(1).min(range.hi);
        }
    }
    if smallest_size(&format) > NEAR[1] {
        // It is large whatever is done, and may need many different numbers.
        return vec![format];
    }
    let names_large = rule.exprs().iter().any(|e| largest_constant(e) > NEAR[1]);
    let capped = |near: i128| {
        let mut format = format.clone();
        for field in format.fields.iter_mut().filter(|f| matches!(f.kind, Kind::Number)) {
            let simplest = field.range.simplest();
            field.range = field.range.intersect(Interval::new(simplest - near, simplest + near));
        }
        format
    };
    NEAR.into_iter().map(capped).chain(names_large.then(|| format.clone())).collect()
}

fn largest_constant(expr: &Expr) -> i128 {
    match expr {
        Expr::Constant(number) => number.saturating_abs(),
        Expr::Minus(inner) | Expr::Fold(_, _, inner) | Expr::Whole(inner) => largest_constant(inner),
        Expr::Binary(_, left, right) => largest_constant(left).max(largest_constant(right)),
        Expr::Field(_) | Expr::Length(_) | Expr::Element(..) | Expr::Variable(_) | Expr::Letters(_) => 0,
    }
}

/// Whether nothing can break a constraint, even where no other holds.
pub(super) fn always_holds(format: &Format, breach: &Breach) -> bool {
    let broken = replacements(breach).into_iter().filter(|rules| !rules.is_empty());
    let fits = |rules: Vec<Rule>| {
        let new = rules.into_iter().map(|rule| Constraint { rule, ..breach.must_break.clone() });
        format.with_constraints(new.collect()).is_some()
    };
    let mut possible = broken.map(fits).peekable();
    possible.peek().is_some() && !possible.any(|fits| fits)
}

/// Rules that stand in for the broken one.
fn replacements(breach: &Breach) -> Vec<Vec<Rule>> {
    let mut found: Vec<Vec<Rule>> = match &breach.must_break.rule {
        Rule::Compare(comparison) => compared(comparison),
        Rule::Formula(formula) => vec![vec![Rule::Formula(negated(formula))]],
        _ => vec![breach.may_hold.first().map(|held| held.rule.clone()).into_iter().collect()],
    };
    found.push(Vec::new());
    found.dedup();
    found
}

fn compared(comparison: &Comparison) -> Vec<Vec<Rule>> {
    let rule = |left: &Expr, sign, right: Expr| {
        let decimals = comparison.decimals;
        vec![Rule::Compare(Comparison { decimals, ..Comparison::new(left.clone(), sign, right) })]
    };
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else {
        let equal = |(left, right): (&Expr, &Expr)| rule(left, Sign::Equal, right.clone());
        let is_unequal = comparison.sign == Sign::NotEqual;
        return if is_unequal {
            vec![comparison.left.iter().zip(&comparison.right).flat_map(equal).collect()]
        } else {
            Vec::new()
        };
    };
    let off = |operator, by| Expr::Binary(operator, Box::new(right.clone()), Box::new(Expr::Constant(by)));
    let loose = rule(left, comparison.sign.negated(), right.clone());
    match comparison.sign {
        Sign::LessEqual => vec![rule(left, Sign::Equal, off(Operator::Plus, 1)), loose],
        Sign::GreaterEqual => vec![rule(left, Sign::Equal, off(Operator::Minus, 1)), loose],
        Sign::Less | Sign::Greater => vec![rule(left, Sign::Equal, right.clone()), loose],
        Sign::NotEqual | Sign::Equal => vec![loose],
    }
}

/// The formula that holds exactly where this one does not.
fn negated(formula: &Formula) -> Formula {
    let all = |parts: &[Formula]| parts.iter().map(negated).collect();
    let body = |q: &Quantified| Box::new(Quantified { body: negated(&q.body), ..q.clone() });
    match formula {
        Formula::Compare(comparison) => {
            Formula::Compare(Comparison { sign: comparison.sign.negated(), ..comparison.clone() })
        }
        Formula::All(parts) => Formula::Any(all(parts)),
        Formula::Any(parts) => Formula::All(all(parts)),
        Formula::Each(quantified) => Formula::Some(body(quantified)),
        Formula::Some(quantified) => Formula::Each(body(quantified)),
    }
}
