//! The families of shapes, which qualify their names.

/// The kind of value that a shape generates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShapeFamily {
    /// Sequences of integers.
    Numbers,
    /// Texts over an alphabet.
    Texts,
    /// Boards of letters.
    Boards,
    /// Ways to split a total among cases.
    Budgets,
    /// Two factors under a limit on their product.
    Factors,
    /// Graphs and trees.
    Graphs,
    /// Weights of the edges of a graph.
    Weights,
    /// Pairs of a left and a right end.
    Intervals,
    /// The corners of a polygon.
    Polygons,
    /// The forms of lines that can have several.
    Forms,
}

impl ShapeFamily {
    /// Returns the word that qualifies a shape's name, as in `texts/palindrome`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ShapeFamily::Numbers => "numbers",
            ShapeFamily::Texts => "texts",
            ShapeFamily::Boards => "boards",
            ShapeFamily::Budgets => "budgets",
            ShapeFamily::Factors => "factors",
            ShapeFamily::Graphs => "graphs",
            ShapeFamily::Weights => "weights",
            ShapeFamily::Intervals => "intervals",
            ShapeFamily::Polygons => "polygons",
            ShapeFamily::Forms => "forms",
        }
    }
}

/// A named way to draw a value of a family.
#[derive(Debug)]
pub struct Shape<F> {
    /// The name used in recipes.
    pub name: &'static str,
    /// A description of what is drawn in one line.
    pub doc: &'static str,
    pub(crate) draw: F,
}

impl<F: Copy> Shape<F> {
    /// Creates a shape: a row in the table of its family.
    pub(crate) const fn new(name: &'static str, doc: &'static str, draw: F) -> Shape<F> {
        Shape { name, doc, draw }
    }
}

/// Separates the shapes of several families in one name: `graphs/path+weights/equal`.
const SHAPE_SEPARATOR: char = '+';

/// Returns the single names in a name that can combine the shapes of several families.
pub fn split_shape_names(names: &str) -> impl Iterator<Item = &str> {
    names.split(SHAPE_SEPARATOR)
}

/// Returns true if `wanted` is `name`, possibly qualified by `family`.
pub(crate) fn is_shape_name(family: ShapeFamily, name: &str, wanted: &str) -> bool {
    let qualified = wanted.strip_prefix(family.name()).and_then(|rest| rest.strip_prefix('/'));
    wanted == name || qualified == Some(name)
}
