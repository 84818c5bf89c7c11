//! Pictures of inputs: boards, trees and graphs, bars, points, polygons, intervals, texts and heat maps.
//!
//! The kind of a picture follows from the format: a field of two dimensions is a board or a heat map, an array is bars, lines that
//! are the edges of a graph are a graph. [`figures_of_input`] returns these as data, [`draw_figure`] lays one out as
//! shapes with whole coordinates, which [`svg_shapes`] renders, and [`figure_lines`] as lines of characters. The same
//! input always gives the same picture. Inputs that are too large to be looked at have no figures.
//!
//! ```
//! use rebut_format::picture::{FigureContent, figure_lines, figures_of_input};
//! use rebut_format::{Format, read::read_input};
//!
//! let format = Format::from_text("n; a[n] where 1 <= n <= 8; 1 <= a <= 9")?;
//! let value = read_input(&format, b"3\n2 7 4\n").expect("an input of the format");
//! let figures = figures_of_input(&format, &value);
//! assert_eq!(figures[0].content, FigureContent::Bars(vec![2, 7, 4]));
//! assert!(figure_lines(&figures[0]).iter().any(|line| line.contains("2 7 4")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod characters;
mod collect;
mod drawing;
mod graph_layout;
mod graph_part;
mod kept;
mod svg;

pub use characters::figure_lines;
pub use collect::figures_of_input;
pub use drawing::{Drawing, Shape, Tone, draw_figure};
pub use kept::mark_kept;
pub use svg::svg_shapes;

/// A part of an input that can be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Its place in the input: `a`, or `case 2, a`.
    pub title: String,
    /// The data that is drawn.
    pub content: FigureContent,
    /// Whether each element is also in another input: see [`mark_kept`]. The elements of a graph are its vertices and
    /// then its edges. Empty if nothing was compared.
    pub kept: Vec<bool>,
}

/// The data that is drawn of a part of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FigureContent {
    /// Rows of characters.
    Board(Vec<Vec<u8>>),
    /// Rows of numbers.
    HeatMap(Vec<Vec<i128>>),
    /// Numbers in a row.
    Bars(Vec<i128>),
    /// A text.
    Text(Vec<u8>),
    /// Vertices and edges.
    Graph(GraphFigure),
    /// Points in the plane.
    Points(Vec<[i128; 2]>),
    /// The corners of a polygon, in their order.
    Polygon(Vec<[i128; 2]>),
    /// Intervals, from the first number to the second.
    Intervals(Vec<[i128; 2]>),
    /// Lines between two points of the plane: both coordinates of one, then of the other.
    Segments(Vec<[i128; 4]>),
}

/// A graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphFigure {
    /// Number of the first vertex.
    pub first: i128,
    /// Number of vertices.
    pub vertices: usize,
    /// Both ends of each edge, counted from 0, and the other numbers on its line, such as a weight.
    pub edges: Vec<(usize, usize, String)>,
    /// Whether edges have a direction.
    pub is_directed: bool,
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
