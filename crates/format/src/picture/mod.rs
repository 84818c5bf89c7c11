//! Pictures of inputs: boards, trees and graphs, bars, and points.
//!
//! The kind of a picture follows from the format: a field of two dimensions is a board, an array is bars, lines that
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
//! assert_eq!(figures[0].content, FigureContent::Bars(vec![[0, 2], [0, 7], [0, 4]]));
//! assert!(figure_lines(&figures[0]).iter().any(|line| line.contains("2 7 4")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod collect;
mod drawing;
mod graph_layout;
mod kept;
mod svg;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;

pub use collect::{figure_lines, figures_of_input};
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
    /// Characters or numbers in rows and columns.
    Board(BoardFigure),
    /// Bars, each from its first to its second number. Those of plain numbers begin at 0, others are intervals.
    Bars(Vec<[i128; 2]>),
    /// Vertices and edges.
    Graph(GraphFigure),
    /// Points in the plane.
    Points(Vec<[i128; 2]>),
}

/// Characters or numbers in rows of the same length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardFigure {
    /// The rows, which are not empty.
    pub rows: Vec<Vec<i128>>,
    /// Whether the cells are the codes of characters.
    pub has_letters: bool,
}

impl BoardFigure {
    fn cell_text(&self, cell: i128) -> String {
        match u8::try_from(cell) {
            Ok(letter) if self.has_letters => char::from(letter).to_string(),
            _ => cell.to_string(),
        }
    }
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

/// Returns what is written beside bars that are too many for labels.
fn bar_summary(bars: &[[i128; 2]]) -> String {
    let numbers = bars.iter().flat_map(|[from, to]| [*to].into_iter().chain((*from != 0).then_some(*from)));
    let (low, high) = (numbers.clone().min().unwrap_or(0), numbers.max().unwrap_or(0));
    format!("{} numbers, from {low} to {high}", bars.len())
}
