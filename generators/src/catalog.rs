//! All shapes by name, for recipes and for the listing of shapes.

use crate::boards::BOARD_SHAPES;
use crate::budgets::{BUDGET_SHAPES, BudgetShape};
use crate::factor_pairs::FACTOR_SHAPES;
use crate::forms::FORM_SHAPES;
use crate::graphs::{GRAPH_SHAPES, WORST_CASE_GRAPH_SHAPES};
use crate::intervals::INTERVAL_SHAPES;
use crate::numbers::{NUMBER_SHAPES, WORST_CASE_NUMBER_SHAPES};
use crate::polygons::POLYGON_SHAPES;
use crate::shape_family::{Shape, ShapeFamily, is_shape_name, split_shape_names};
use crate::texts::{TEXT_SHAPES, WORST_CASE_TEXT_SHAPES};
use crate::weights::{WEIGHT_SHAPES, WORST_CASE_WEIGHT_SHAPES};

/// An entry of the listing of shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShapeInfo {
    /// The kind of value that the shape generates.
    pub family: ShapeFamily,
    /// Its name, unique within the family.
    pub name: &'static str,
    /// A description in one line.
    pub doc: &'static str,
}

/// Returns all shapes of all families, in the order of the tables.
pub fn all_shapes() -> impl Iterator<Item = ShapeInfo> {
    use ShapeFamily::{Boards, Factors, Forms, Graphs, Intervals, Numbers, Polygons, Texts, Weights};
    let budget = |shape: &BudgetShape| ShapeInfo { family: ShapeFamily::Budgets, name: shape.name, doc: shape.doc };
    let numbers = shapes_of(Numbers, NUMBER_SHAPES).chain(shapes_of(Numbers, WORST_CASE_NUMBER_SHAPES));
    let texts = shapes_of(Texts, TEXT_SHAPES).chain(shapes_of(Texts, WORST_CASE_TEXT_SHAPES));
    let graphs = shapes_of(Graphs, GRAPH_SHAPES).chain(shapes_of(Graphs, WORST_CASE_GRAPH_SHAPES));
    let weights = shapes_of(Weights, WEIGHT_SHAPES).chain(shapes_of(Weights, WORST_CASE_WEIGHT_SHAPES));
    let parts = numbers.chain(texts).chain(shapes_of(Boards, BOARD_SHAPES)).chain(BUDGET_SHAPES.iter().map(budget));
    let parts = parts.chain(shapes_of(Factors, FACTOR_SHAPES)).chain(graphs).chain(weights);
    let parts = parts.chain(shapes_of(Intervals, INTERVAL_SHAPES)).chain(shapes_of(Polygons, POLYGON_SHAPES));
    parts.chain(shapes_of(Forms, FORM_SHAPES))
}

fn shapes_of<F>(family: ShapeFamily, shapes: &'static [Shape<F>]) -> impl Iterator<Item = ShapeInfo> {
    shapes.iter().map(move |shape| ShapeInfo { family, name: shape.name, doc: shape.doc })
}

/// Returns the first shape with this name, which may be qualified by its family. Families share names: there are
/// palindromes of numbers and of letters.
#[must_use]
pub fn find_shape(name: &str) -> Option<ShapeInfo> {
    all_shapes().find(|shape| is_shape_name(shape.family, shape.name, name))
}

/// Returns true if each of these names, which are separated by `+`, is that of a shape.
#[must_use]
pub fn are_shapes_known(names: &str) -> bool {
    split_shape_names(names).all(|name| find_shape(name).is_some())
}
