//! Comparisons with `and`, `or`, `not`, `=>`, `forall` and `exists` between them.

use super::Resolver;
use super::rules::pairs_of;
use crate::diagnostic::{Diagnostic, Span};
use crate::format::formula::{Comparison, Formula, Quantified};
use crate::format::model::FieldId;
use crate::format::syntax::{Chain, Term, TermKind, WrittenFormula};

impl Resolver<'_> {
    /// The formula, or its negation if it is not `positive`: negations go down to the signs.
    pub(super) fn formula(&mut self, written: &WrittenFormula, positive: bool) -> Result<Formula, Diagnostic> {
        match written {
            WrittenFormula::Chain(chain) => self.compared_all(chain, positive),
            WrittenFormula::Not(inner) => self.formula(inner, !positive),
            WrittenFormula::All(parts) => Ok(joined(self.formulas(parts, positive)?, positive)),
            WrittenFormula::Any(parts) => Ok(joined(self.formulas(parts, positive)?, !positive)),
            WrittenFormula::Implies(sides) => {
                let sides = vec![self.formula(&sides.0, !positive)?, self.formula(&sides.1, positive)?];
                Ok(joined(sides, !positive))
            }
            WrittenFormula::Quantified { every, name, range: written_range, body, span } => {
                let range = (self.bound(&written_range.0)?, self.bound(&written_range.1)?);
                if self.variables.contains(name) || self.lookup(name).is_some() {
                    return Err(Diagnostic::error("counts-twice", *span, format!("`{name}` is a name already"))
                        .caret("count with another one"));
                }
                let variable = self.variables.len();
                self.variables.push(name.clone());
                self.counted_letters
                    .push(self.repeated_text_in(&written_range.0).or(self.repeated_text_in(&written_range.1)));
                let body = self.formula(body, positive);
                self.counted_letters.pop();
                self.variables.pop();
                let quantified = Box::new(Quantified { variable, name: name.clone(), range, body: body? });
                Ok(if *every == positive { Formula::Each(quantified) } else { Formula::Some(quantified) })
            }
        }
    }

    /// The text without brackets below `repeat` whose length is in an end of a range.
    fn repeated_text_in(&self, term: &Term) -> Option<FieldId> {
        match &term.kind {
            TermKind::Call(function, arguments) => {
                let name = arguments.iter().find_map(|argument| match &argument.kind {
                    TermKind::Name(name) if function == "len" => self.lookup(name),
                    _ => None,
                });
                name.filter(|field| self.format.is_repeated_text(*field))
                    .or_else(|| arguments.iter().find_map(|argument| self.repeated_text_in(argument)))
            }
            TermKind::Minus(inner) => self.repeated_text_in(inner),
            TermKind::Binary(_, left, right) => self.repeated_text_in(left).or_else(|| self.repeated_text_in(right)),
            _ => None,
        }
    }

    fn formulas(&mut self, parts: &[WrittenFormula], positive: bool) -> Result<Vec<Formula>, Diagnostic> {
        parts.iter().map(|part| self.formula(part, positive)).collect()
    }

    fn bound(&self, term: &Term) -> Result<crate::format::Expr, Diagnostic> {
        let expr = self.whole(term)?;
        if self.array(&expr) {
            return Err(array_in_formula(term.span));
        }
        Ok(expr)
    }

    fn compared_all(&mut self, chain: &Chain, positive: bool) -> Result<Formula, Diagnostic> {
        if chain.signs.is_empty() {
            return Err(Diagnostic::error("not-a-condition", chain.span, "this is neither true nor false")
                .caret("expected a comparison"));
        }
        let mut found = Vec::new();
        for (left, sign, right, span) in pairs_of(chain) {
            let comparison = self.compared(left, sign, right, span)?;
            if comparison.left.iter().chain(&comparison.right).any(|e| self.array(e)) {
                return Err(array_in_formula(span));
            }
            let sign = if positive { comparison.sign } else { comparison.sign.negated() };
            found.push(Formula::Compare(Comparison { sign, ..comparison }));
        }
        Ok(joined(found, positive))
    }
}

fn joined(mut parts: Vec<Formula>, all: bool) -> Formula {
    match parts.len() {
        1 => parts.remove(0),
        _ if all => Formula::All(parts),
        _ => Formula::Any(parts),
    }
}

fn array_in_formula(span: Span) -> Diagnostic {
    Diagnostic::error("array-in-formula", span, "a condition compares single numbers")
        .caret("an array stands for several")
        .help("speak of its elements: `forall i in 1..n: a[i] ...`")
}
