//! Resolution of formulas: comparisons combined by `and`, `or`, `not`, `=>`, `forall` and `exists`.

use super::comparisons::{comparison_pairs, resolve_comparison};
use super::expression_blocks::is_array_expr;
use super::expressions::resolve_integer;
use super::name_scope::{NameScope, lookup_field};
use super::predicates::PRIME;
use crate::language::syntax::{ComparisonChain, SyntaxFormula, SyntaxTerm, SyntaxTermKind};
use crate::model::{Comparison, FieldId, Formula, QuantifiedFormula};
use rebut_diagnostics::{Diagnostic, Span};

/// Resolves a formula, or its negation unless `positive`: negations are pushed down to the comparison operators.
pub(super) fn resolve_formula(
    scope: &mut NameScope,
    written: &SyntaxFormula,
    positive: bool,
) -> Result<Formula, Diagnostic> {
    match written {
        SyntaxFormula::Chain(chain) => resolve_chain(scope, chain, positive),
        SyntaxFormula::Not(inner) => resolve_formula(scope, inner, !positive),
        SyntaxFormula::All(parts) => Ok(join_formulas(resolve_formulas(scope, parts, positive)?, positive)),
        SyntaxFormula::Any(parts) => Ok(join_formulas(resolve_formulas(scope, parts, positive)?, !positive)),
        SyntaxFormula::Implies(sides) => {
            let sides = vec![resolve_formula(scope, &sides.0, !positive)?, resolve_formula(scope, &sides.1, positive)?];
            Ok(join_formulas(sides, !positive))
        }
        SyntaxFormula::Quantified { every, name, range: written_range, body, span } => {
            let range = (resolve_range_end(scope, &written_range.0)?, resolve_range_end(scope, &written_range.1)?);
            if scope.variables.contains(name) || lookup_field(scope, name).is_some() {
                return Err(Diagnostic::error(
                    "counts-twice",
                    *span,
                    format!("`{name}` is already the name of a field or constant"),
                )
                .with_caret("choose another name for the variable"));
            }
            let variable = scope.variables.len();
            scope.variables.push(name.clone());
            scope
                .counted_letters
                .push(repeated_text_in(scope, &written_range.0).or(repeated_text_in(scope, &written_range.1)));
            let body = resolve_formula(scope, body, positive);
            scope.counted_letters.pop();
            scope.variables.pop();
            let quantified = Box::new(QuantifiedFormula { variable, name: name.clone(), range, body: body? });
            Ok(if *every == positive { Formula::ForAll(quantified) } else { Formula::Exists(quantified) })
        }
    }
}

/// Returns the repeated text without brackets that determines, by its length, the end of a range.
fn repeated_text_in(scope: &NameScope, term: &SyntaxTerm) -> Option<FieldId> {
    match &term.kind {
        SyntaxTermKind::Call(function, arguments) => {
            let name = arguments.iter().find_map(|argument| match &argument.kind {
                SyntaxTermKind::Name(name) if function == "len" => lookup_field(scope, name),
                _ => None,
            });
            name.filter(|field| scope.format.is_repeated_text(*field))
                .or_else(|| arguments.iter().find_map(|argument| repeated_text_in(scope, argument)))
        }
        SyntaxTermKind::Negate(inner) => repeated_text_in(scope, inner),
        SyntaxTermKind::Binary(_, left, right) => {
            repeated_text_in(scope, left).or_else(|| repeated_text_in(scope, right))
        }
        _ => None,
    }
}

fn resolve_formulas(
    scope: &mut NameScope,
    parts: &[SyntaxFormula],
    positive: bool,
) -> Result<Vec<Formula>, Diagnostic> {
    parts.iter().map(|part| resolve_formula(scope, part, positive)).collect()
}

fn resolve_range_end(scope: &NameScope, term: &SyntaxTerm) -> Result<crate::language::Expr, Diagnostic> {
    let expr = resolve_integer(scope, term)?;
    if is_array_expr(scope, &expr) {
        return Err(array_in_formula_error(term.span));
    }
    Ok(expr)
}

fn resolve_chain(scope: &mut NameScope, chain: &ComparisonChain, positive: bool) -> Result<Formula, Diagnostic> {
    if let ([list], []) = (&*chain.lists, &*chain.signs)
        && let [SyntaxTerm { kind: SyntaxTermKind::Call(name, _), .. }] = &**list
        && name == PRIME
    {
        let one = vec![SyntaxTerm::new(SyntaxTermKind::Number(1))];
        let chain =
            ComparisonChain { lists: vec![list.clone(), one], signs: vec![("=", chain.span)], span: chain.span };
        return resolve_chain(scope, &chain, positive);
    }
    if chain.signs.is_empty() {
        return Err(Diagnostic::error("not-a-condition", chain.span, "this is neither true nor false")
            .with_caret("expected a comparison"));
    }
    let mut found = Vec::new();
    for (left, sign, right, span) in comparison_pairs(chain) {
        let comparison = resolve_comparison(scope, left, sign, right, span)?;
        if comparison.left.iter().chain(&comparison.right).any(|e| is_array_expr(scope, e)) {
            return Err(array_in_formula_error(span));
        }
        let sign = if positive { comparison.sign } else { comparison.sign.negate_operator() };
        found.push(Formula::Compare(Comparison { sign, ..comparison }));
    }
    Ok(join_formulas(found, positive))
}

fn join_formulas(mut parts: Vec<Formula>, all: bool) -> Formula {
    match parts.len() {
        1 => parts.remove(0),
        _ if all => Formula::All(parts),
        _ => Formula::Any(parts),
    }
}

fn array_in_formula_error(span: Span) -> Diagnostic {
    Diagnostic::error("array-in-formula", span, "a condition compares single numbers")
        .with_caret("this array stands for several numbers")
        .with_help("use its elements: `forall i in 1..n: a[i] ...`")
}
