//! The kinds of constraints.

use super::expression::{ComparisonOperator, Expr, FoldRange};
use super::format::{BlockId, FieldId};
use super::formula::{Comparison, Formula};
use super::text_property::TextPropertyRef;
use super::token_pattern::TokenPattern;

/// The condition that a constraint imposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstraintRule {
    /// A comparison; elementwise where a side is an array.
    Compare(Comparison),
    /// All tuples are distinct: over the elements of arrays, or over the instances of a block.
    Distinct(Vec<Expr>, FoldRange),
    /// Consecutive numbers satisfy this comparison: over the elements of an array, or over the instances of a block.
    Ordered(Expr, ComparisonOperator, FoldRange),
    /// The instances of a block, or the numbers of an array, are the edges of a graph.
    Graph(GraphConstraint),
    /// Each text of the field matches the pattern.
    Matches(FieldId, TokenPattern),
    /// Each text or board of a field has a property.
    Text(TextConstraint),
    /// All texts are distinct: the rows of a field, or the texts of all instances of a block.
    DistinctTexts(FieldId, FoldRange),
    /// A combination of comparisons, possibly with quantifiers.
    Formula(Formula),
}

/// A property that each text or board of a field has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextConstraint {
    /// The property.
    pub property: TextPropertyRef,
    /// The field of the texts.
    pub field: FieldId,
    /// The characters that the property is about, if it takes some.
    pub letters: Vec<u8>,
}

/// The edges, vertices and required properties of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphConstraint {
    /// The edges.
    pub edges: GraphEdges,
    /// The first and the last vertex.
    pub vertices: (Expr, Expr),
    /// The required properties.
    pub properties: Vec<GraphProperty>,
}

/// The fields that hold a graph's edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphEdges {
    /// Each instance of a block is an edge between two of its numbers.
    Lines {
        /// The repeated block.
        block: BlockId,
        /// The fields of the two ends.
        ends: (FieldId, FieldId),
    },
    /// The k-th number of an array, or of a repeated block, is the parent of the k-th vertex from `first` on.
    Parents {
        /// The field of the parents.
        field: FieldId,
        /// The block with one parent per instance, or `None` if the field is an array.
        block: Option<BlockId>,
        /// The child of the first number.
        first: Expr,
    },
}

impl GraphConstraint {
    /// Returns the block of the edges and the fields of the ends, if each edge is a line.
    pub fn line_edges(&self) -> Option<(BlockId, (FieldId, FieldId))> {
        match self.edges {
            GraphEdges::Lines { block, ends } => Some((block, ends)),
            GraphEdges::Parents { .. } => None,
        }
    }
}

/// A property that can be required of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphProperty {
    /// Edges have a direction.
    Directed,
    /// No loops and no repeated edges.
    Simple,
    /// No edge from a vertex to itself.
    Loopless,
    /// A single connected component.
    Connected,
    /// No cycles.
    Acyclic,
    /// Vertices have two sides, with edges only between them.
    Bipartite,
    /// Connected and without cycles.
    Tree,
    /// A tree without branches.
    Path,
    /// A tree with one centre.
    Star,
}

impl GraphConstraint {
    /// Returns true if a property is required, either by its own name or by one that implies it.
    pub fn has_property(&self, wanted: GraphProperty) -> bool {
        self.properties.iter().any(|a| {
            let tree = matches!(a, GraphProperty::Tree | GraphProperty::Path | GraphProperty::Star);
            *a == wanted
                || tree && matches!(wanted, GraphProperty::Tree | GraphProperty::Connected | GraphProperty::Acyclic)
                || *a == GraphProperty::Simple && wanted == GraphProperty::Loopless
        })
    }
}

impl ConstraintRule {
    /// Returns all expressions of the rule.
    pub fn expressions(&self) -> Vec<&Expr> {
        match self {
            ConstraintRule::Compare(comparison) => comparison.left.iter().chain(&comparison.right).collect(),
            ConstraintRule::Distinct(parts, _) => parts.iter().collect(),
            ConstraintRule::Ordered(expr, ..) => vec![expr],
            ConstraintRule::Graph(graph) => match &graph.edges {
                GraphEdges::Lines { .. } => vec![&graph.vertices.0, &graph.vertices.1],
                GraphEdges::Parents { first, .. } => vec![first, &graph.vertices.0, &graph.vertices.1],
            },
            ConstraintRule::Formula(formula) => {
                let mut found = Vec::new();
                formula.visit_exprs(&mut |e| found.push(e));
                found
            }
            ConstraintRule::Matches(..) | ConstraintRule::Text(_) | ConstraintRule::DistinctTexts(..) => Vec::new(),
        }
    }

    /// Returns true if bounds at the same location follow from the rule: the number of edges of a tree, the length of
    /// a bracket sequence.
    pub(crate) fn implies_bounds(&self) -> bool {
        matches!(self, ConstraintRule::Graph(_) | ConstraintRule::Text(_))
    }

    /// Returns the field of the texts that the rule is about.
    pub fn text_field(&self) -> Option<FieldId> {
        match self {
            ConstraintRule::Matches(field, _) | ConstraintRule::DistinctTexts(field, _) => Some(*field),
            ConstraintRule::Text(text) => Some(text.field),
            _ => None,
        }
    }

    /// Returns true if the field occurs in the rule.
    pub fn mentions_field(&self, field: FieldId) -> bool {
        let named = match self {
            ConstraintRule::Graph(GraphConstraint { edges: GraphEdges::Parents { field, .. }, .. }) => Some(*field),
            rule => rule.text_field(),
        };
        named == Some(field) || self.expressions().iter().any(|e| e.mentions_field(field))
    }
}
