//! All shapes by name, for recipes and for the listing of shapes.

use crate::boards::BOARD_SHAPES;
use crate::budgets::BUDGET_SHAPES;
use crate::factor_pairs::FACTOR_SHAPES;
use crate::forms::FORM_SHAPES;
use crate::graphs::{GRAPH_SHAPES, WORST_CASE_GRAPH_SHAPES};
use crate::intervals::INTERVAL_SHAPES;
use crate::numbers::{NUMBER_SHAPES, WORST_CASE_NUMBER_SHAPES};
use crate::polygons::POLYGON_SHAPES;
use crate::shape_family::{ShapeFamily, is_shape_name, split_shape_names};
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
    let info = |family| move |(name, doc)| ShapeInfo { family, name, doc };
    let numbers = NUMBER_SHAPES
        .iter()
        .chain(WORST_CASE_NUMBER_SHAPES)
        .map(|shape| (shape.name, shape.doc))
        .map(info(ShapeFamily::Numbers));
    let texts = TEXT_SHAPES
        .iter()
        .chain(WORST_CASE_TEXT_SHAPES)
        .map(|shape| (shape.name, shape.doc))
        .map(info(ShapeFamily::Texts));
    let boards = BOARD_SHAPES.iter().map(|shape| (shape.name, shape.doc)).map(info(ShapeFamily::Boards));
    let budgets = BUDGET_SHAPES.iter().map(|shape| (shape.name, shape.doc)).map(info(ShapeFamily::Budgets));
    let graphs = GRAPH_SHAPES
        .iter()
        .chain(WORST_CASE_GRAPH_SHAPES)
        .map(|shape| (shape.name, shape.doc))
        .map(info(ShapeFamily::Graphs));
    let factors = FACTOR_SHAPES.iter().map(|shape| (shape.name, shape.doc)).map(info(ShapeFamily::Factors));
    let weights = WEIGHT_SHAPES
        .iter()
        .chain(WORST_CASE_WEIGHT_SHAPES)
        .map(|shape| (shape.name, shape.doc))
        .map(info(ShapeFamily::Weights));
    let intervals = INTERVAL_SHAPES.iter().map(|shape| (shape.name, shape.doc)).map(info(ShapeFamily::Intervals));
    let polygons = POLYGON_SHAPES.iter().map(|shape| (shape.name, shape.doc)).map(info(ShapeFamily::Polygons));
    let forms = FORM_SHAPES.iter().map(|shape| (shape.name, shape.doc)).map(info(ShapeFamily::Forms));
    let parts = numbers.chain(texts).chain(boards).chain(budgets).chain(factors);
    parts.chain(graphs).chain(weights).chain(intervals).chain(polygons).chain(forms)
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
