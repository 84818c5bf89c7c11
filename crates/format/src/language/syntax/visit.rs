//! Visits the expressions of a syntax tree.

use super::{
    ComparisonChain, LayoutNode, SyntaxCount, SyntaxFieldKind, SyntaxFormula, SyntaxPart, SyntaxPartKind,
    SyntaxProperty, SyntaxRange, SyntaxRule, SyntaxTerm, SyntaxTermKind, SyntaxTree,
};

type TermVisitor<'v> = &'v mut dyn FnMut(&SyntaxTerm);

impl SyntaxTree {
    /// Visits all expressions and the expressions in them, the outer ones first.
    pub fn visit_terms(&self, visit: TermVisitor<'_>) {
        self.layout.iter().for_each(|node| visit_layout(node, visit));
        self.rules.iter().for_each(|rule| rule.visit_terms(visit));
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
    pub fn visit_terms(&self, visit: TermVisitor<'_>) {
        visit(self);
        match &self.kind {
            SyntaxTermKind::Element(_, parts) | SyntaxTermKind::Call(_, parts) | SyntaxTermKind::Tuple(parts) => {
                visit_list(parts, visit);
            }
            SyntaxTermKind::Slice(_, before, range, after) => {
                visit_list(before, visit);
                visit_range(range, visit);
                visit_list(after, visit);
            }
            SyntaxTermKind::Negate(inner) => inner.visit_terms(visit),
            SyntaxTermKind::Binary(_, left, right) => {
                left.visit_terms(visit);
                right.visit_terms(visit);
            }
            _ => {}
        }
    }
}

impl SyntaxRule {
    /// Visits the expressions of this constraint.
    pub fn visit_terms(&self, visit: TermVisitor<'_>) {
        match self {
            SyntaxRule::Chain(chain) => visit_chain(chain, visit),
            SyntaxRule::Formula(formula, _) => formula.visit_terms(visit),
            SyntaxRule::FieldKind { names, of } => {
                visit_list(names, visit);
                if let SyntaxFieldKind::Real(decimals) = of {
                    visit_range(decimals, visit);
                }
            }
            SyntaxRule::Let { value, .. } => value.visit_terms(visit),
            SyntaxRule::Subtask { points, rules, .. } => {
                points.iter().for_each(|points| points.visit_terms(visit));
                rules.iter().flatten().for_each(|rule| rule.visit_terms(visit));
            }
            SyntaxRule::Edges { ends, vertices, condition, properties, .. } => {
                visit_range(ends, visit);
                visit_range(vertices, visit);
                condition.iter().for_each(|chain| visit_chain(chain, visit));
                visit_bounds(properties, visit);
            }
            SyntaxRule::Parents { name, children, vertices, properties, .. } => {
                name.visit_terms(visit);
                visit_bounds(properties, visit);
                visit_range(children, visit);
                visit_range(vertices, visit);
            }
            SyntaxRule::Polygon { corner, .. } => visit_range(corner, visit),
            SyntaxRule::Permutation { names, values, .. } => {
                visit_list(names, visit);
                visit_range(values, visit);
            }
            SyntaxRule::Predicate(term) => term.visit_terms(visit),
            SyntaxRule::Validator { .. } | SyntaxRule::Generator { .. } => {}
        }
    }
}

impl SyntaxFormula {
    /// Visits the expressions of this formula.
    pub fn visit_terms(&self, visit: TermVisitor<'_>) {
        match self {
            SyntaxFormula::Chain(chain) => visit_chain(chain, visit),
            SyntaxFormula::All(parts) | SyntaxFormula::Any(parts) => {
                parts.iter().for_each(|part| part.visit_terms(visit));
            }
            SyntaxFormula::Not(inner) => inner.visit_terms(visit),
            SyntaxFormula::Implies(sides) => {
                sides.0.visit_terms(visit);
                sides.1.visit_terms(visit);
            }
            SyntaxFormula::Quantified { range, body, .. } => {
                visit_range(range, visit);
                body.visit_terms(visit);
            }
        }
    }
}

fn visit_layout(node: &LayoutNode, visit: TermVisitor<'_>) {
    match node {
        LayoutNode::Parts(parts) => visit_parts(parts, visit),
        LayoutNode::Block { count, body, .. } => {
            match count {
                SyntaxCount::Times(term) => term.visit_terms(visit),
                SyntaxCount::When(chain) => visit_chain(chain, visit),
                SyntaxCount::Until { least, most, .. } => {
                    least.visit_terms(visit);
                    most.visit_terms(visit);
                }
            }
            body.iter().for_each(|node| visit_layout(node, visit));
        }
        LayoutNode::Either { alternatives, .. } => {
            alternatives.iter().flatten().for_each(|node| visit_layout(node, visit));
        }
    }
}

fn visit_parts(parts: &[SyntaxPart], visit: TermVisitor<'_>) {
    for part in parts {
        match &part.kind {
            SyntaxPartKind::Field(field) => {
                field.dimensions.iter().flatten().for_each(|size| size.visit_terms(visit));
            }
            SyntaxPartKind::Literal(_) => {}
            SyntaxPartKind::Group { parts, count } => {
                visit_parts(parts, visit);
                count.visit_terms(visit);
            }
        }
    }
}

fn visit_chain(chain: &ComparisonChain, visit: TermVisitor<'_>) {
    chain.lists.iter().flatten().for_each(|term| term.visit_terms(visit));
}

fn visit_range(range: &SyntaxRange, visit: TermVisitor<'_>) {
    range.0.visit_terms(visit);
    range.1.visit_terms(visit);
}

fn visit_list(terms: &[SyntaxTerm], visit: TermVisitor<'_>) {
    terms.iter().for_each(|term| term.visit_terms(visit));
}

fn visit_bounds(properties: &[SyntaxProperty], visit: TermVisitor<'_>) {
    properties.iter().flat_map(|one| one.least.iter().chain(&one.bound)).for_each(|bound| bound.visit_terms(visit));
}
