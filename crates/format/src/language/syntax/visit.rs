//! The expressions of a syntax tree.

use super::{
    ComparisonChain, LayoutNode, SyntaxCount, SyntaxFieldKind, SyntaxFormula, SyntaxPart, SyntaxPartKind,
    SyntaxProperty, SyntaxRange, SyntaxRule, SyntaxTerm, SyntaxTermKind, SyntaxTree,
};

impl SyntaxTree {
    /// Visits all expressions and the expressions in them, the outer ones first.
    pub fn visit_terms(&self, visit: &mut dyn FnMut(&SyntaxTerm)) {
        let layout = self.layout.iter().flat_map(LayoutNode::terms);
        layout.chain(self.rules.iter().flat_map(SyntaxRule::terms)).for_each(|term| term.visit_terms(visit));
    }
}

impl SyntaxTerm {
    /// Returns true if a field, a constant or a variable is mentioned in it.
    pub fn has_name(&self) -> bool {
        let mut has_name = false;
        self.visit_terms(&mut |term| {
            use SyntaxTermKind::{Element, Name, Slice};
            has_name |= matches!(term.kind, Name(_) | Element(..) | Slice(..));
        });
        has_name
    }

    /// Visits this expression and the expressions in it, the outer ones first.
    pub fn visit_terms(&self, visit: &mut dyn FnMut(&SyntaxTerm)) {
        visit(self);
        self.parts().into_iter().for_each(|part| part.visit_terms(visit));
    }

    /// Returns the expressions that this one is made of.
    pub fn parts(&self) -> Vec<&SyntaxTerm> {
        match &self.kind {
            SyntaxTermKind::Element(_, parts) | SyntaxTermKind::Call(_, parts) | SyntaxTermKind::Tuple(parts) => {
                parts.iter().collect()
            }
            SyntaxTermKind::Slice(_, before, range, after) => before.iter().chain(ends(range)).chain(after).collect(),
            SyntaxTermKind::Negate(inner) => vec![inner],
            SyntaxTermKind::Binary(_, left, right) => vec![left, right],
            SyntaxTermKind::Number(_)
            | SyntaxTermKind::Decimal(..)
            | SyntaxTermKind::Letter(_)
            | SyntaxTermKind::Text(_)
            | SyntaxTermKind::Name(_) => Vec::new(),
        }
    }
}

impl SyntaxRule {
    /// Returns the expressions of this constraint.
    pub fn terms(&self) -> Vec<&SyntaxTerm> {
        match self {
            SyntaxRule::Chain(chain) => chain.terms().collect(),
            SyntaxRule::Formula(formula, _) => formula.terms(),
            SyntaxRule::FieldKind { names, of: SyntaxFieldKind::Real(decimals) } => {
                names.iter().chain(ends(decimals)).collect()
            }
            SyntaxRule::FieldKind { names, .. } => names.iter().collect(),
            SyntaxRule::Let { value, .. } => vec![value],
            SyntaxRule::Subtask { points, rules, .. } => {
                points.iter().chain(rules.iter().flatten().flat_map(SyntaxRule::terms)).collect()
            }
            SyntaxRule::Edges { ends: pair, vertices, condition, properties, .. } => {
                let condition = condition.iter().flat_map(ComparisonChain::terms);
                ends(pair).into_iter().chain(ends(vertices)).chain(condition).chain(bounds(properties)).collect()
            }
            SyntaxRule::Parents { name, children, vertices, properties, .. } => {
                [name].into_iter().chain(bounds(properties)).chain(ends(children)).chain(ends(vertices)).collect()
            }
            SyntaxRule::Polygon { corner, .. } => ends(corner).to_vec(),
            SyntaxRule::Permutation { names, values, .. } => names.iter().chain(ends(values)).collect(),
            SyntaxRule::Predicate(term) => vec![term],
            SyntaxRule::Validator { .. } | SyntaxRule::Generator { .. } => Vec::new(),
        }
    }
}

impl SyntaxFormula {
    /// Returns the expressions of this formula.
    pub fn terms(&self) -> Vec<&SyntaxTerm> {
        match self {
            SyntaxFormula::Chain(chain) => chain.terms().collect(),
            SyntaxFormula::All(parts) | SyntaxFormula::Any(parts) => {
                parts.iter().flat_map(SyntaxFormula::terms).collect()
            }
            SyntaxFormula::Not(inner) => inner.terms(),
            SyntaxFormula::Implies(sides) => [sides.0.terms(), sides.1.terms()].concat(),
            SyntaxFormula::Quantified { range, body, .. } => [ends(range).to_vec(), body.terms()].concat(),
        }
    }
}

impl LayoutNode {
    fn terms(&self) -> Vec<&SyntaxTerm> {
        match self {
            LayoutNode::Parts(parts) => part_terms(parts),
            LayoutNode::Block { count, body, .. } => {
                let count = match count {
                    SyntaxCount::Times(term) => vec![term],
                    SyntaxCount::When(chain) => chain.terms().collect(),
                    SyntaxCount::Until { least, most, .. } => vec![least, most],
                };
                count.into_iter().chain(body.iter().flat_map(LayoutNode::terms)).collect()
            }
            LayoutNode::Either { alternatives, .. } => {
                alternatives.iter().flatten().flat_map(LayoutNode::terms).collect()
            }
        }
    }
}

impl ComparisonChain {
    /// Returns the expressions that are compared.
    pub fn terms(&self) -> impl Iterator<Item = &SyntaxTerm> {
        self.lists.iter().flatten()
    }
}

fn part_terms(parts: &[SyntaxPart]) -> Vec<&SyntaxTerm> {
    let mut found = Vec::new();
    for part in parts {
        match &part.kind {
            SyntaxPartKind::Field(field) => found.extend(field.dimensions.iter().flatten()),
            SyntaxPartKind::Literal(_) => {}
            SyntaxPartKind::Group { parts, count } => found.extend(part_terms(parts).into_iter().chain([&**count])),
        }
    }
    found
}

fn ends(range: &SyntaxRange) -> [&SyntaxTerm; 2] {
    [&range.0, &range.1]
}

fn bounds(properties: &[SyntaxProperty]) -> impl Iterator<Item = &SyntaxTerm> {
    properties.iter().flat_map(|one| one.least.iter().chain(&one.bound))
}
