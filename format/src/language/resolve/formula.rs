//! Resolution of formulas: comparisons combined by `and`, `or`, `not`, `=>`, `forall` and `exists`.

use super::Resolver;
use super::constraints::comparison_pairs;
use crate::language::syntax::{ComparisonChain, SyntaxFormula, SyntaxTerm, SyntaxTermKind};
use crate::model::{Comparison, FieldId, Formula, QuantifiedFormula};
use rebut_diagnostics::{Diagnostic, Span};

impl Resolver<'_> {
    /// Resolves a formula, or its negation unless `positive`: negations are pushed down to the comparison operators.
    pub(super) fn resolve_formula(&mut self, written: &SyntaxFormula, positive: bool) -> Result<Formula, Diagnostic> {
        match written {
            SyntaxFormula::Chain(chain) => self.resolve_chain(chain, positive),
            SyntaxFormula::Not(inner) => self.resolve_formula(inner, !positive),
            SyntaxFormula::All(parts) => Ok(join_formulas(self.resolve_formulas(parts, positive)?, positive)),
            SyntaxFormula::Any(parts) => Ok(join_formulas(self.resolve_formulas(parts, positive)?, !positive)),
            SyntaxFormula::Implies(sides) => {
                let sides = vec![self.resolve_formula(&sides.0, !positive)?, self.resolve_formula(&sides.1, positive)?];
                Ok(join_formulas(sides, !positive))
            }
            SyntaxFormula::Quantified { every, name, range: written_range, body, span } => {
                let range = (self.resolve_range_end(&written_range.0)?, self.resolve_range_end(&written_range.1)?);
                if self.variables.contains(name) || self.lookup_field(name).is_some() {
                    return Err(Diagnostic::error(
                        "counts-twice",
                        *span,
                        format!("`{name}` is already the name of a field or constant"),
                    )
                    .with_caret("choose another name for the variable"));
                }
                let variable = self.variables.len();
                self.variables.push(name.clone());
                self.counted_letters
                    .push(self.repeated_text_in(&written_range.0).or(self.repeated_text_in(&written_range.1)));
                let body = self.resolve_formula(body, positive);
                self.counted_letters.pop();
                self.variables.pop();
                let quantified = Box::new(QuantifiedFormula { variable, name: name.clone(), range, body: body? });
                Ok(if *every == positive { Formula::ForAll(quantified) } else { Formula::Exists(quantified) })
            }
        }
    }

    /// Returns the repeated text without brackets that determines, by its length, the end of a range.
    fn repeated_text_in(&self, term: &SyntaxTerm) -> Option<FieldId> {
        match &term.kind {
            SyntaxTermKind::Call(function, arguments) => {
                let name = arguments.iter().find_map(|argument| match &argument.kind {
                    SyntaxTermKind::Name(name) if function == "len" => self.lookup_field(name),
                    _ => None,
                });
                name.filter(|field| self.format.is_repeated_text(*field))
                    .or_else(|| arguments.iter().find_map(|argument| self.repeated_text_in(argument)))
            }
            SyntaxTermKind::Negate(inner) => self.repeated_text_in(inner),
            SyntaxTermKind::Binary(_, left, right) => {
                self.repeated_text_in(left).or_else(|| self.repeated_text_in(right))
            }
            _ => None,
        }
    }

    fn resolve_formulas(&mut self, parts: &[SyntaxFormula], positive: bool) -> Result<Vec<Formula>, Diagnostic> {
        parts.iter().map(|part| self.resolve_formula(part, positive)).collect()
    }

    fn resolve_range_end(&self, term: &SyntaxTerm) -> Result<crate::language::Expr, Diagnostic> {
        let expr = self.resolve_integer(term)?;
        if self.is_array_expr(&expr) {
            return Err(array_in_formula_error(term.span));
        }
        Ok(expr)
    }

    fn resolve_chain(&mut self, chain: &ComparisonChain, positive: bool) -> Result<Formula, Diagnostic> {
        if chain.signs.is_empty() {
            return Err(Diagnostic::error("not-a-condition", chain.span, "this is neither true nor false")
                .with_caret("expected a comparison"));
        }
        let mut found = Vec::new();
        for (left, sign, right, span) in comparison_pairs(chain) {
            let comparison = self.resolve_comparison(left, sign, right, span)?;
            if comparison.left.iter().chain(&comparison.right).any(|e| self.is_array_expr(e)) {
                return Err(array_in_formula_error(span));
            }
            let sign = if positive { comparison.sign } else { comparison.sign.negate_operator() };
            found.push(Formula::Compare(Comparison { sign, ..comparison }));
        }
        Ok(join_formulas(found, positive))
    }
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
