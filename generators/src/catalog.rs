//! All shapes by name: what a recipe may ask for, and what a listing shows.

use crate::boards::BOARD_SHAPES;
use crate::budgets::BUDGET_SHAPES;
use crate::graphs::GRAPH_SHAPES;
use crate::intervals::INTERVAL_SHAPES;
use crate::numbers::NUMBER_SHAPES;
use crate::problems::BESPOKE;
use crate::products::FACTOR_SHAPES;
use crate::texts::TEXT_SHAPES;
use crate::weights::WEIGHT_SHAPES;

/// What a shape makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Sequences of integers.
    Numbers,
    /// Texts over an alphabet.
    Texts,
    /// Boards of letters.
    Boards,
    /// Ways of splitting a total among cases.
    Budgets,
    /// Two factors under a limit on their product.
    Factors,
    /// Graphs and trees.
    Graphs,
    /// Weights of the edges of a graph.
    Weights,
    /// Pairs of a left and a right end.
    Intervals,
    /// Whole input files of one particular problem.
    Problems,
}

impl Family {
    /// The word that qualifies a shape's name, as in `texts/palindrome`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Family::Numbers => "numbers",
            Family::Texts => "texts",
            Family::Boards => "boards",
            Family::Budgets => "budgets",
            Family::Factors => "factors",
            Family::Graphs => "graphs",
            Family::Weights => "weights",
            Family::Intervals => "intervals",
            Family::Problems => "problems",
        }
    }
}

/// One line of the listing of shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShapeInfo {
    /// What the shape makes.
    pub family: Family,
    /// Its name, unique within the family.
    pub name: &'static str,
    /// What it makes, in one line.
    pub doc: &'static str,
}

/// Every shape of every family, in the order of the tables.
pub fn all_shapes() -> impl Iterator<Item = ShapeInfo> {
    let info = |family| move |(name, doc)| ShapeInfo { family, name, doc };
    let numbers = NUMBER_SHAPES.iter().map(|shape| (shape.name, shape.doc)).map(info(Family::Numbers));
    let texts = TEXT_SHAPES.iter().map(|shape| (shape.name, shape.doc)).map(info(Family::Texts));
    let boards = BOARD_SHAPES.iter().map(|shape| (shape.name, shape.doc)).map(info(Family::Boards));
    let budgets = BUDGET_SHAPES.iter().map(|shape| (shape.name, shape.doc)).map(info(Family::Budgets));
    let graphs = GRAPH_SHAPES.iter().map(|shape| (shape.name, shape.doc)).map(info(Family::Graphs));
    let factors = FACTOR_SHAPES.iter().map(|shape| (shape.name, shape.doc)).map(info(Family::Factors));
    let weights = WEIGHT_SHAPES.iter().map(|shape| (shape.name, shape.doc)).map(info(Family::Weights));
    let intervals = INTERVAL_SHAPES.iter().map(|shape| (shape.name, shape.doc)).map(info(Family::Intervals));
    let problems = BESPOKE.iter().map(|shape| (shape.name, shape.doc)).map(info(Family::Problems));
    let parts = numbers.chain(texts).chain(boards).chain(budgets).chain(factors);
    parts.chain(graphs).chain(weights).chain(intervals).chain(problems)
}

/// The first shape called `name`, which may be qualified by its family. Families share names: a palindrome can be made
/// of numbers or of letters.
#[must_use]
pub fn find_shape(name: &str) -> Option<ShapeInfo> {
    all_shapes().find(|shape| named(shape.family, shape.name, name))
}

/// Whether `wanted` means the shape called `name` of `family`.
pub(crate) fn named(family: Family, name: &str, wanted: &str) -> bool {
    let qualified = wanted.strip_prefix(family.name()).and_then(|rest| rest.strip_prefix('/'));
    wanted == name || qualified == Some(name)
}
