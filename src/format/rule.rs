//! What constraints ask for.

use super::expr::{Expr, Over, Sign};
use super::formula::{Comparison, Formula};
use super::model::{BlockId, FieldId};
use super::pattern::Pattern;

/// What a constraint asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A comparison, for each element where a side is an array.
    Compare(Comparison),
    /// All tuples differ: over the elements of arrays, or over the instances of a block.
    Distinct(Vec<Expr>, Over),
    /// Each number stands in this relation to the next: over the elements of an array, or the instances of a block.
    Ordered(Expr, Sign, Over),
    /// The instances of a block, or the numbers of an array, are the edges of a graph.
    Graph(GraphRule),
    /// Each text of the field matches the pattern as a whole.
    Matches(FieldId, Pattern),
    /// No two texts are the same: the rows of a field, or the texts of all instances of a block.
    DistinctTexts(FieldId, Over),
    /// Comparisons that depend on each other, or on an index.
    Formula(Formula),
}

/// Edges, the vertices that they are between, and what the graph must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphRule {
    /// What the edges are.
    pub edges: Edges,
    /// The first and the last vertex.
    pub vertices: (Expr, Expr),
    /// What the graph must be.
    pub adjectives: Vec<Adjective>,
}

/// Where a graph's edges stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edges {
    /// Each instance of a block is an edge between two of its numbers.
    Lines {
        /// The repeated block.
        block: BlockId,
        /// The ends of an edge.
        ends: (FieldId, FieldId),
    },
    /// The k-th number of an array, or of a repeated block, is the parent of the k-th vertex from `first` on.
    Parents {
        /// The field of the parents.
        field: FieldId,
        /// The block of which each instance holds a parent; none if the field is an array.
        block: Option<BlockId>,
        /// The vertex that the first number is the parent of.
        first: Expr,
    },
}

impl GraphRule {
    /// The block whose instances are the edges, and the ends, if each edge is a line.
    pub fn lines(&self) -> Option<(BlockId, (FieldId, FieldId))> {
        match self.edges {
            Edges::Lines { block, ends } => Some((block, ends)),
            Edges::Parents { .. } => None,
        }
    }
}

/// What can be asked of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjective {
    /// Edges have a direction.
    Directed,
    /// No loops and no repeated edges.
    Simple,
    /// No edge from a vertex to itself.
    Loopless,
    /// In one piece.
    Connected,
    /// No cycles.
    Acyclic,
    /// Two sides, edges only between them.
    Bipartite,
    /// Connected, without cycles.
    Tree,
    /// A tree without branches.
    Path,
    /// A tree with one centre.
    Star,
}

impl GraphRule {
    /// Whether an adjective is asked for, by its name or by one that includes it.
    pub fn is(&self, wanted: Adjective) -> bool {
        self.adjectives.iter().any(|a| {
            let tree = matches!(a, Adjective::Tree | Adjective::Path | Adjective::Star);
            *a == wanted
                || tree && matches!(wanted, Adjective::Tree | Adjective::Connected | Adjective::Acyclic)
                || *a == Adjective::Simple && wanted == Adjective::Loopless
        })
    }
}

impl Rule {
    /// All expressions of the rule.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Rule::Compare(comparison) => comparison.left.iter().chain(&comparison.right).collect(),
            Rule::Distinct(parts, _) => parts.iter().collect(),
            Rule::Ordered(expr, ..) => vec![expr],
            Rule::Graph(graph) => match &graph.edges {
                Edges::Lines { .. } => vec![&graph.vertices.0, &graph.vertices.1],
                Edges::Parents { first, .. } => vec![first, &graph.vertices.0, &graph.vertices.1],
            },
            Rule::Formula(formula) => {
                let mut found = Vec::new();
                formula.each_expr(&mut |e| found.push(e));
                found
            }
            Rule::Matches(..) | Rule::DistinctTexts(..) => Vec::new(),
        }
    }

    /// Whether the field occurs in the rule.
    pub fn mentions(&self, field: FieldId) -> bool {
        let named = match self {
            Rule::Matches(f, _) | Rule::DistinctTexts(f, _) => *f == field,
            Rule::Graph(GraphRule { edges: Edges::Parents { field: f, .. }, .. }) => *f == field,
            _ => false,
        };
        named || self.exprs().iter().any(|e| e.mentions(field))
    }
}
