//! The kinds of constraints as data. [`crate::constraints`] has the consequences of each.

use super::expression::{ComparisonOperator, Expr, FoldKind, FoldRange, SliceFold, SliceReduction};
use super::ids::{BlockId, FieldId};
use super::text_property::TextPropertyRef;
use super::token_pattern::TokenPattern;
use rebut_generators::DegreeRule;
use rebut_generators::PolygonProperties;

/// The condition that a constraint imposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstraintRule {
    /// A comparison; elementwise where a side is an array.
    Compare(Comparison),
    /// All tuples are distinct.
    Distinct(DistinctConstraint),
    /// Consecutive numbers satisfy a comparison.
    Ordered(OrderConstraint),
    /// The instances of a block, or the numbers of an array, are the edges of a graph.
    Graph(GraphConstraint),
    /// The instances of a block are the corners of a polygon.
    Polygon(PolygonConstraint),
    /// Each text of a field matches a pattern.
    Matches(PatternConstraint),
    /// Each text or board of a field has a property.
    Text(TextConstraint),
    /// All texts are distinct.
    DistinctTexts(DistinctTextsConstraint),
    /// A combination of comparisons, possibly with quantifiers.
    Formula(Formula),
}

/// Tuples of numbers that are all distinct: over the elements of arrays, or over the instances of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistinctConstraint {
    /// The parts of a tuple.
    pub parts: Vec<Expr>,
    /// The elements or instances.
    pub over: FoldRange,
}

/// The order of numbers: of the elements of an array, or over the instances of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderConstraint {
    /// The numbers.
    pub expr: Expr,
    /// The relation of each number to the next.
    pub sign: ComparisonOperator,
    /// The elements or instances.
    pub over: FoldRange,
}

/// A pattern that each text of a field matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternConstraint {
    /// The field of the texts.
    pub field: FieldId,
    /// The pattern.
    pub pattern: TokenPattern,
}

/// Texts that are all distinct: the rows of a field, or the texts of all instances of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistinctTextsConstraint {
    /// The field of the texts.
    pub field: FieldId,
    /// The rows or instances.
    pub over: FoldRange,
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

/// The corners of a polygon, each in an instance of a block, and what it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolygonConstraint {
    /// The repeated block.
    pub block: BlockId,
    /// The fields of the two coordinates.
    pub coordinates: [Expr; 2],
    /// The required properties.
    pub properties: PolygonProperties,
}

impl PolygonConstraint {
    /// The largest distance of a coordinate from zero with which angles are exact.
    pub const MAX_COORDINATE: i128 = 10_i128.pow(18);

    /// Returns the fields of the coordinates.
    pub fn corner_fields(&self) -> Option<(FieldId, FieldId)> {
        match self.coordinates {
            [Expr::Field(x), Expr::Field(y)] => Some((x, y)),
            _ => None,
        }
    }
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
    /// What a formula elsewhere requires of the numbers of edges at the vertices. Edges are drawn by it.
    pub drawn_degrees: DegreeRule,
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
        /// The instances that are edges, if not all are.
        selection: Option<EdgeSelection>,
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

/// The instances of a block that are the edges of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgeSelection {
    /// Those from one number to another, counted from 1.
    Slice(Expr, Expr),
    /// Those for which all comparisons hold.
    When(Vec<Comparison>),
}

impl GraphEdges {
    /// Returns true if the field holds ends of edges.
    pub fn has_field(&self, field: FieldId) -> bool {
        match self {
            GraphEdges::Lines { ends, .. } => ends.0 == field || ends.1 == field,
            GraphEdges::Parents { field: parents, .. } => *parents == field,
        }
    }
}

impl GraphConstraint {
    /// Returns the block of the edges and the fields of the ends, if each line of the block is an edge.
    pub fn line_edges(&self) -> Option<(BlockId, (FieldId, FieldId))> {
        match self.edges {
            GraphEdges::Lines { block, ends, selection: None } => Some((block, ends)),
            GraphEdges::Lines { .. } | GraphEdges::Parents { .. } => None,
        }
    }

    /// Returns the block of the edges and the fields of the ends, if some or all lines of the block are edges.
    pub fn edge_lines(&self) -> Option<(BlockId, (FieldId, FieldId))> {
        match self.edges {
            GraphEdges::Lines { block, ends, .. } => Some((block, ends)),
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
    /// Each vertex can be reached from each other along the directions.
    StronglyConnected,
    /// At most this number of edges at each vertex; a loop counts twice.
    MaxDegree(u32),
    /// At least this many edges from the root of a tree to the farthest vertex. The root is the vertex without a parent, or the
    /// first one.
    MinDepth(u32),
    /// At most this many.
    MaxDepth(u32),
    /// An even number of edges at each vertex.
    EvenDegrees,
    /// The same number of edges at each vertex.
    Regular,
}

impl GraphProperty {
    /// Returns true if a graph with the property can be drawn by a rule for the number of edges at each vertex, too.
    pub fn leaves_degrees_free(&self) -> bool {
        matches!(self, GraphProperty::Connected | GraphProperty::Loopless | GraphProperty::Simple)
    }
}

impl GraphConstraint {
    /// Returns true if there is a rule for the number of edges at each vertex.
    pub fn limits_degrees(&self) -> bool {
        use GraphProperty::{EvenDegrees, MaxDegree, Regular};
        self.properties.iter().any(|property| matches!(property, MaxDegree(_) | EvenDegrees | Regular))
    }

    /// Returns the maximum number of edges at a vertex, if there is one.
    pub fn max_degree(&self) -> Option<u32> {
        let degrees = self.properties.iter().filter_map(|property| match property {
            GraphProperty::MaxDegree(most) => Some(*most),
            _ => None,
        });
        degrees.min()
    }

    /// Returns the minimum and the maximum depth of a tree, if its depth is limited.
    pub fn depth_range(&self) -> Option<(u32, u32)> {
        self.properties.iter().fold(None, |range, property| {
            let (least, most) = range.unwrap_or((0, u32::MAX));
            match property {
                GraphProperty::MinDepth(depth) => Some((least.max(*depth), most)),
                GraphProperty::MaxDepth(depth) => Some((least, most.min(*depth))),
                _ => range,
            }
        })
    }

    /// Returns true if a property is required, either by its own name or by one that implies it.
    pub fn has_property(&self, wanted: GraphProperty) -> bool {
        self.properties.iter().any(|a| {
            let tree = matches!(a, GraphProperty::Tree | GraphProperty::Path | GraphProperty::Star);
            *a == wanted
                || tree && matches!(wanted, GraphProperty::Tree | GraphProperty::Connected | GraphProperty::Acyclic)
                || *a == GraphProperty::StronglyConnected && wanted == GraphProperty::Connected
                || *a == GraphProperty::Simple && wanted == GraphProperty::Loopless
        })
    }
}

macro_rules! implement_conversions {
    ($($variant:ident($kind:ty) $(as $getter:ident)?,)*) => {
        $(impl From<$kind> for ConstraintRule {
            fn from(kind: $kind) -> Self {
                ConstraintRule::$variant(kind)
            }
        })*

        impl ConstraintRule {
            $($(
                /// Returns the rule if it is of this kind.
                pub fn $getter(&self) -> Option<&$kind> {
                    if let ConstraintRule::$variant(kind) = self { Some(kind) } else { None }
                }
            )?)*
        }
    };
}

implement_conversions! {
    Compare(Comparison) as comparison,
    Distinct(DistinctConstraint),
    Ordered(OrderConstraint) as order,
    Graph(GraphConstraint) as graph,
    Polygon(PolygonConstraint) as polygon,
    Matches(PatternConstraint) as pattern,
    Text(TextConstraint) as text_property,
    DistinctTexts(DistinctTextsConstraint),
    Formula(Formula) as formula,
}

// Comparisons and logical formulas.

/// `left operator right`. A side of one expression is a number, a side of several is a tuple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The left side.
    pub left: Vec<Expr>,
    /// The comparison operator.
    pub sign: ComparisonOperator,
    /// The right side, of the same length as the left.
    pub right: Vec<Expr>,
    /// Exponent of the power of ten by which both sides are multiplied, so that reals become integers.
    pub decimals: u32,
}

impl Comparison {
    /// Creates a comparison of two integers.
    pub fn new(left: Expr, sign: ComparisonOperator, right: Expr) -> Self {
        Comparison { left: vec![left], sign, right: vec![right], decimals: 0 }
    }

    /// Returns the comparison that holds if all values of a fold are different: there are as many different values as values.
    pub fn of_distinct_values(different: Expr) -> Self {
        let size = size_of_fold(&different);
        Comparison::new(different, ComparisonOperator::Equal, size)
    }

    /// Returns the number of different values if the comparison requires that all are different.
    pub fn distinct_values(&self) -> Option<&Expr> {
        let ([different], ComparisonOperator::Equal, [size]) = (&*self.left, self.sign, &*self.right) else {
            return None;
        };
        (different != size && *size == size_of_fold(different)).then_some(different)
    }

    /// Returns true if the field occurs in it.
    pub fn mentions_field(&self, field: FieldId) -> bool {
        self.all_operands().any(|e| e.mentions_field(field))
    }

    /// Returns the expressions of the left side, then those of the right side.
    pub fn all_operands(&self) -> impl Iterator<Item = &Expr> + Clone {
        self.left.iter().chain(&self.right)
    }

    /// Returns both sides, or `None` if they are tuples.
    pub fn single_operands(&self) -> Option<(&Expr, &Expr)> {
        match (&*self.left, &*self.right) {
            ([left], [right]) => Some((left, right)),
            _ => None,
        }
    }

    /// Returns the smaller side, `<` or `<=`, and the larger side. Returns `None` for tuples and other operators.
    pub fn upper_bound(&self) -> Option<(&Expr, ComparisonOperator, &Expr)> {
        let (left, right) = self.single_operands()?;
        match self.sign {
            ComparisonOperator::Less | ComparisonOperator::LessEqual => Some((left, self.sign, right)),
            ComparisonOperator::Greater | ComparisonOperator::GreaterEqual => {
                Some((right, self.sign.with_sides_swapped(), left))
            }
            ComparisonOperator::Equal | ComparisonOperator::NotEqual => None,
        }
    }

    /// Returns the first result of `find` for a side, left before right, with the operator as if that side were on the
    /// left, and the other side. Returns `None` if the sides are tuples.
    pub fn find_operand<'e, T>(
        &'e self,
        find: impl Fn(&'e Expr) -> Option<T>,
    ) -> Option<(T, ComparisonOperator, &'e Expr)> {
        let (left, right) = self.single_operands()?;
        let swapped = || Some((find(right)?, self.sign.with_sides_swapped(), left));
        find(left).map(|found| (found, self.sign, right)).or_else(swapped)
    }
}

/// Returns the number of values of which a fold counts the different ones.
fn size_of_fold(different: &Expr) -> Expr {
    match different {
        Expr::Fold(FoldKind::Distinct, over, inner) => Expr::Fold(FoldKind::Size, *over, inner.clone()),
        Expr::Slice(slice) if slice.reduction == SliceReduction::Fold(FoldKind::Distinct) => {
            let reduction = SliceReduction::Fold(FoldKind::Size);
            Expr::Slice(Box::new(SliceFold { reduction, ..(**slice).clone() }))
        }
        other => other.clone(),
    }
}

/// Comparisons combined by `and`, `or`, `forall` and `exists`. Negations are pushed into the comparison operators, and
/// `A => B` is `not A or B`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A comparison of single numbers.
    Compare(Comparison),
    /// All of these hold.
    All(Vec<Formula>),
    /// At least one of these holds.
    Any(Vec<Formula>),
    /// `forall i in a..b: body`
    ForAll(Box<QuantifiedFormula>),
    /// `exists i in a..b: body`
    Exists(Box<QuantifiedFormula>),
}

/// A formula that is evaluated for every number in a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuantifiedFormula {
    /// Number of the variable.
    pub variable: usize,
    /// Name of the variable.
    pub name: String,
    /// First and last number of the range.
    pub range: (Expr, Expr),
    /// The formula for each number.
    pub body: Formula,
}

impl QuantifiedFormula {
    /// Returns the elements of one field and an element of another, if none of these is among those for any number:
    /// `forall i in 1..m: count(a[1..n], b[i]) = 0`.
    pub fn disjoint_parts(&self) -> Option<(&SliceFold, &Expr)> {
        let Formula::Compare(comparison) = &self.body else { return None };
        let ([Expr::Slice(slice)], ComparisonOperator::Equal, [Expr::Constant(0)]) =
            (&*comparison.left, comparison.sign, &*comparison.right)
        else {
            return None;
        };
        let fixed = [&slice.range.0, &slice.range.1, &slice.each];
        let depends = |expr: &Expr| expr.any_part(&|part| (*part == Expr::Variable(self.variable)).then_some(true));
        let wanted = slice.wanted().filter(|wanted| matches!(wanted, Expr::Element(..)) && depends(wanted))?;
        (matches!(slice.each, Expr::Element(..)) && !fixed.into_iter().any(depends)).then_some((slice, wanted))
    }
}

impl QuantifiedFormula {
    /// Returns the value and the elements of a formula `exists j in 1..m: b[i] = a[j]`, if the elements depend on nothing but their
    /// number.
    pub fn lookup_parts(&self) -> Option<(&Expr, &Expr)> {
        let Formula::Compare(comparison) = &self.body else { return None };
        let ([left], ComparisonOperator::Equal, [right]) = (&*comparison.left, comparison.sign, &*comparison.right)
        else {
            return None;
        };
        let own = [Expr::Variable(self.variable)];
        let is_listed = |expr: &Expr| matches!(expr, Expr::Element(_, indices) if indices[..] == own);
        let depends = |expr: &Expr| expr.any_part(&|part| (*part == own[0]).then_some(true));
        match (is_listed(left), is_listed(right)) {
            (false, true) if !depends(left) => Some((left, right)),
            (true, false) if !depends(right) => Some((right, left)),
            _ => None,
        }
    }
}

impl Formula {
    /// Calls `visit` with each expression in the formula.
    pub fn visit_exprs<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            Formula::Compare(comparison) => comparison.all_operands().for_each(visit),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|p| p.visit_exprs(visit)),
            Formula::ForAll(quantified) | Formula::Exists(quantified) => {
                visit(&quantified.range.0);
                visit(&quantified.range.1);
                quantified.body.visit_exprs(visit);
            }
        }
    }
}
