//! Lays a figure out as shapes.

use super::graph_layout::place_vertices;
use super::{BoardFigure, Figure, FigureContent, GraphFigure, bar_summary};

/// Shapes in a rectangle. Coordinates are in pixels, from the upper left corner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Width of the rectangle.
    pub width: i32,
    /// Height of the rectangle.
    pub height: i32,
    /// The shapes; later ones cover earlier ones.
    pub shapes: Vec<Shape>,
}

/// A shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A rectangle: left, top, width, height.
    Rectangle([i32; 4], Tone),
    /// A line between two points.
    Line([i32; 4], Tone),
    /// A circle: centre and radius.
    Circle([i32; 3], Tone),
    /// A triangle of three points: the head of an arrow.
    Triangle([i32; 6], Tone),
    /// A text around a point.
    Label([i32; 2], String, Tone),
    /// Characters in cells next to each other: left and middle of the first cell, width of a cell.
    Letters([i32; 3], String),
}

/// The meaning of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tone {
    /// The subject of the figure.
    Plain,
    /// Axes, numbers of rows and columns.
    Muted,
    /// An element that was kept: see [`Figure::kept`].
    Kept,
    /// One of [`LEVELS`](Tone::LEVELS) shades, from the lightest on.
    Level(u8),
}

impl Tone {
    /// Number of shades.
    pub const LEVELS: u8 = 6;
}

/// Height of the longest bar.
const BAR_HEIGHT: i32 = 120;
/// Side of a cell with a character.
const CELL: i32 = 20;
/// Side of a cell that has no room for its number.
const SMALL_CELL: i32 = 14;
/// Radius of a vertex.
const RADIUS: i32 = 13;
/// Side of the square in which points are.
const PLANE: i32 = 300;
/// Space around a figure.
const MARGIN: i32 = 8;
/// Width of bars or cells with their numbers, beyond which the numbers are left out.
const MAX_LABELLED_WIDTH: i32 = 900;
/// Size of a character of a label.
const LETTER: [i32; 2] = [8, 16];

/// Lays a figure out as shapes.
pub fn draw_figure(figure: &Figure) -> Drawing {
    let painter = Painter { kept: &figure.kept };
    Drawing::around(match &figure.content {
        FigureContent::Board(board) => painter.draw_board(board),
        FigureContent::Bars(bars) => painter.draw_bars(bars),
        FigureContent::Graph(graph) => painter.draw_graph(graph),
        FigureContent::Points(points) => painter.draw_points(points),
    })
}

impl Drawing {
    /// Returns the drawing that has these shapes within its margins, wherever they are.
    fn around(mut shapes: Vec<Shape>) -> Drawing {
        let bounds = shapes.iter().map(Shape::bounds);
        let whole = bounds.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]);
        let [left, top, right, bottom] = whole.unwrap_or_default();
        for shape in &mut shapes {
            let coordinates: &mut [i32] = match shape {
                Shape::Rectangle(place, _) => &mut place[..2],
                Shape::Line(place, _) => place,
                Shape::Circle(place, _) | Shape::Letters(place, _) => &mut place[..2],
                Shape::Triangle(place, _) => place,
                Shape::Label(place, ..) => place,
            };
            for point in coordinates.chunks_mut(2) {
                point[0] += MARGIN - left;
                point[1] += MARGIN - top;
            }
        }
        Drawing { width: right - left + 2 * MARGIN, height: bottom - top + 2 * MARGIN, shapes }
    }
}

impl Shape {
    /// Returns the left, upper, right and lower end.
    pub(super) fn bounds(&self) -> [i32; 4] {
        match self {
            Shape::Rectangle([x, y, width, height], _) => [*x, *y, x + width, y + height],
            Shape::Line([x, y, to_x, to_y], _) => [*x.min(to_x), *y.min(to_y), *x.max(to_x), *y.max(to_y)],
            Shape::Circle([x, y, radius], _) => [x - radius, y - radius, x + radius, y + radius],
            Shape::Triangle([a, b, c, d, e, f], _) => {
                [*a.min(c).min(e), *b.min(d).min(f), *a.max(c).max(e), *b.max(d).max(f)]
            }
            Shape::Label([x, y], text, _) => {
                let (half_width, half_height) = (label_width(text) / 2, LETTER[1] / 2);
                [x - half_width, y - half_height, x + half_width, y + half_height]
            }
            Shape::Letters([x, y, width], text) => {
                [*x, y - width / 2, x + width * text.chars().count() as i32, y + width / 2]
            }
        }
    }
}

fn label_width(text: &str) -> i32 {
    LETTER[0] * text.chars().count() as i32 + 4
}

/// Draws figures with elements that may be marked as kept.
struct Painter<'a> {
    kept: &'a [bool],
}

impl Painter<'_> {
    /// Returns the tone of an element: kept, or another.
    fn tone(&self, element: usize, otherwise: Tone) -> Tone {
        if self.kept.get(element).copied().unwrap_or(false) { Tone::Kept } else { otherwise }
    }

    fn draw_board(&self, board: &BoardFigure) -> Vec<Shape> {
        let (rows, columns) = (board.rows.len(), board.rows[0].len());
        let widest = board.rows.iter().flatten().map(|cell| label_width(&board.cell_text(*cell))).max().unwrap_or(0);
        let labelled = if board.has_letters { CELL } else { widest + 4 };
        let is_labelled = labelled * columns as i32 <= MAX_LABELLED_WIDTH;
        let [width, height] = if is_labelled { [labelled, CELL] } else { [SMALL_CELL; 2] };
        let levels = board_levels(board);
        let mut shapes = number_axes(rows, columns, [width, height]);
        let mut cells: Vec<(Tone, Shape)> = Vec::new();
        for (i, row) in board.rows.iter().enumerate() {
            let tone = |(j, cell): (usize, &i128)| self.tone(i * columns + j, levels(*cell));
            let tones: Vec<Tone> = row.iter().enumerate().map(tone).collect();
            let mut x = 0;
            for run in tones.chunk_by(|a, b| a == b) {
                let length = width * run.len() as i32;
                cells.push((run[0], Shape::Rectangle([x, height * i as i32, length, height], run[0])));
                x += length;
            }
        }
        // Rectangles of the same tone next to each other become one path. The lightest cells have none.
        cells.sort_by_key(|(tone, _)| *tone);
        shapes.extend(cells.into_iter().filter(|(tone, _)| *tone != Tone::Level(0)).map(|(_, cell)| cell));
        let (right, bottom) = (width * columns as i32, height * rows as i32);
        shapes.extend((0..=rows as i32).map(|i| Shape::Line([0, height * i, right, height * i], Tone::Level(0))));
        shapes.extend((0..=columns as i32).map(|j| Shape::Line([width * j, 0, width * j, bottom], Tone::Level(0))));
        for (y, row) in (0..).map(|i| height * i + height / 2).zip(&board.rows) {
            let texts = row.iter().map(|cell| board.cell_text(*cell));
            match (board.has_letters, is_labelled) {
                (true, _) => shapes.push(Shape::Letters([0, y, width], texts.collect())),
                (false, true) => {
                    let xs = (0..).map(|j| width * j + width / 2);
                    shapes.extend(xs.zip(texts).map(|(x, text)| Shape::Label([x, y], text, Tone::Plain)));
                }
                (false, false) => {}
            }
        }
        shapes
    }

    fn draw_bars(&self, bars: &[[i128; 2]]) -> Vec<Shape> {
        let ends: Vec<i128> = bars.iter().flatten().copied().collect();
        let count = bars.len() as i32;
        let widest = ends.iter().map(|end| label_width(&end.to_string())).max().unwrap_or(0) + 4;
        let is_labelled = widest * count <= MAX_LABELLED_WIDTH;
        let width = (640 / count).clamp(3, 30).max(if is_labelled { widest } else { 0 });
        let height_of = |number: i128| BAR_HEIGHT - (share(number, &ends) * f64::from(BAR_HEIGHT)) as i32;
        let mut shapes = Vec::new();
        for (i, [from, to]) in bars.iter().enumerate() {
            let (x, start, end) = (width * i as i32, height_of(*from), height_of(*to));
            let (top, length) = (start.min(end), (end - start).abs().max(1));
            shapes.push(Shape::Rectangle([x, top, width - 1, length], self.tone(i, Tone::Level(3))));
            let [above, below] = [top - 9, top + length + 9];
            let mut label = |y, number: &i128| {
                if is_labelled {
                    shapes.push(Shape::Label([x + width / 2, y], number.to_string(), Tone::Plain));
                }
            };
            label(if to < from { below } else { above }, to);
            if *from != 0 {
                label(if to < from { above } else { below }, from);
            }
        }
        if bars.iter().all(|[from, _]| *from == 0) {
            shapes.push(Shape::Line([0, height_of(0), width * count, height_of(0)], Tone::Muted));
        }
        if !is_labelled {
            shapes.push(Shape::Label([width * count / 2, -12], bar_summary(bars), Tone::Muted));
        }
        shapes
    }

    /// Draws points in a square, the second coordinate upwards.
    fn draw_points(&self, points: &[[i128; 2]]) -> Vec<Shape> {
        let [xs, ys] = [0, 1].map(|part| points.iter().map(|point| point[part]).collect::<Vec<i128>>());
        let place = |number: i128, all: &[i128]| (share(number, all) * f64::from(PLANE)) as i32;
        let mut shapes = vec![
            Shape::Line([0, PLANE + 6, PLANE, PLANE + 6], Tone::Muted),
            Shape::Line([-6, 0, -6, PLANE], Tone::Muted),
        ];
        let ends = |all: &[i128]| {
            let (low, high) = (all.iter().min().copied(), all.iter().max().copied());
            low.into_iter().chain(high.filter(|high| low != Some(*high))).collect::<Vec<i128>>()
        };
        shapes.extend(
            ends(&xs).into_iter().map(|end| Shape::Label([place(end, &xs), PLANE + 16], end.to_string(), Tone::Muted)),
        );
        shapes.extend(ends(&ys).into_iter().map(|end| {
            let text = end.to_string();
            Shape::Label([-12 - label_width(&text) / 2, PLANE - place(end, &ys)], text, Tone::Muted)
        }));
        for (i, [x, y]) in points.iter().enumerate() {
            let tone = self.tone(i, Tone::Plain);
            shapes.push(Shape::Circle([place(*x, &xs), PLANE - place(*y, &ys), 4], tone));
        }
        shapes
    }

    fn draw_graph(&self, graph: &GraphFigure) -> Vec<Shape> {
        let edges = merged_edges(graph);
        let (places, labels) = place_graph(graph, &edges);
        let mut shapes = Vec::new();
        for edge in &edges {
            let is_kept = edge.places.iter().any(|place| self.kept.get(graph.vertices + place) == Some(&true));
            let tone = if is_kept { Tone::Kept } else { Tone::Muted };
            let [start, end] = [places[edge.from], places[edge.to]];
            if edge.from == edge.to {
                shapes.push(Shape::Circle([start[0] + RADIUS, start[1] - RADIUS, 8], tone));
                continue;
            }
            shapes.push(Shape::Line([start[0], start[1], end[0], end[1]], tone));
            if graph.is_directed {
                shapes.extend(arrow_head(start, end, tone));
            }
        }
        for (edge, place) in edges.iter().zip(labels).filter(|(edge, _)| !edge.label.is_empty()) {
            let label = Shape::Label(place, edge.label.clone(), Tone::Plain);
            let [left, top, right, bottom] = label.bounds();
            shapes.push(Shape::Rectangle([left, top, right - left, bottom - top], Tone::Level(0)));
            shapes.push(label);
        }
        for (vertex, [x, y]) in places.iter().enumerate() {
            shapes.push(Shape::Circle([*x, *y, RADIUS], self.tone(vertex, Tone::Level(1))));
            shapes.push(Shape::Label([*x, *y], (graph.first + vertex as i128).to_string(), Tone::Plain));
        }
        shapes
    }
}

/// Returns where a number lies between the smallest and the largest of several, from 0 to 1.
fn share(number: i128, all: &[i128]) -> f64 {
    let (low, high) = (all.iter().min().copied().unwrap_or(0), all.iter().max().copied().unwrap_or(0));
    let range = high as f64 - low as f64;
    if range == 0.0 { 0.0 } else { (number as f64 - low as f64) / range }
}

/// Returns the shade of a cell: by its size among the numbers, or by its place among the characters. A `.` is empty.
fn board_levels(board: &BoardFigure) -> impl Fn(i128) -> Tone {
    let mut all = board.rows.concat();
    all.sort_unstable();
    all.dedup();
    let has_letters = board.has_letters;
    let letters: Vec<i128> = all.iter().copied().filter(|letter| *letter != i128::from(b'.')).collect();
    move |cell| match letters.binary_search(&cell) {
        _ if !has_letters => Tone::Level((share(cell, &all) * f64::from(Tone::LEVELS - 1)).round() as u8),
        Ok(rank) => Tone::Level(1 + (rank % 5) as u8),
        Err(_) => Tone::Level(0),
    }
}

/// Returns the numbers of the rows and the columns, from 1; every fifth of many.
fn number_axes(rows: usize, columns: usize, side: [i32; 2]) -> Vec<Shape> {
    let shown = |count: usize| (0..count).filter(move |i| count <= 20 || (i + 1) % 5 == 0);
    let label = |place: [i32; 2], i: usize| Shape::Label(place, (i + 1).to_string(), Tone::Muted);
    let row = |i: usize| label([-12, side[1] * i as i32 + side[1] / 2], i);
    let column = |i: usize| label([side[0] * i as i32 + side[0] / 2, -12], i);
    shown(rows).map(row).chain(shown(columns).map(column)).collect()
}

/// The edges between two vertices.
struct MergedEdge {
    from: usize,
    to: usize,
    label: String,
    /// Their places among all edges.
    places: Vec<usize>,
}

/// Returns the edges, with those between the same vertices as one that has all of their labels.
fn merged_edges(graph: &GraphFigure) -> Vec<MergedEdge> {
    let mut merged: Vec<MergedEdge> = Vec::new();
    for (place, (from, to, _)) in graph.edges.iter().enumerate() {
        let is_same = |other: &&mut MergedEdge| {
            (other.from, other.to) == (*from, *to) || !graph.is_directed && (other.from, other.to) == (*to, *from)
        };
        match merged.iter_mut().find(is_same) {
            Some(edge) => edge.places.push(place),
            None => merged.push(MergedEdge { from: *from, to: *to, label: String::new(), places: vec![place] }),
        }
    }
    for edge in &mut merged {
        let labels: Vec<&str> = edge.places.iter().map(|place| graph.edges[*place].2.as_str()).collect();
        edge.label = match labels[..] {
            [label] => label.to_owned(),
            _ if labels.iter().all(|label| label.is_empty()) => format!("x{}", labels.len()),
            _ => labels.join(", "),
        };
    }
    merged
}

/// Returns the place of each vertex and of each label. Vertices do not overlap, and edges have room for their labels,
/// unless the graph would be too large for a page.
fn place_graph(graph: &GraphFigure, edges: &[MergedEdge]) -> (Vec<[i32; 2]>, Vec<[i32; 2]>) {
    /// Width and height of a graph that still fits on a page.
    const MAX_SIDES: [f64; 2] = [1400.0, 800.0];
    /// Factors by which a graph is stretched until its labels fit.
    const STRETCHES: [f64; 7] = [1.0, 1.3, 1.7, 2.2, 3.0, 4.0, 5.5];
    let places = place_vertices(graph);
    let range = |part: fn(&(f64, f64)) -> f64| {
        let (low, high) = places
            .iter()
            .map(part)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), place| (low.min(place), high.max(place)));
        (high - low).max(0.1)
    };
    let most = [MAX_SIDES[0] / range(|place| place.0), MAX_SIDES[1] / range(|place| place.1)];
    let distance = |a: usize, b: usize| {
        let (dx, dy) = (places[a].0 - places[b].0, places[a].1 - places[b].1);
        (dx * dx + dy * dy).sqrt()
    };
    let pairs = (0..graph.vertices).flat_map(|a| (0..a).map(move |b| (a, b)));
    let closest = pairs.map(|(a, b)| distance(a, b)).fold(f64::INFINITY, f64::min).max(0.05);
    let lengths = edges.iter().filter(|edge| edge.from != edge.to).map(|edge| distance(edge.from, edge.to));
    let shortest = lengths.fold(f64::INFINITY, f64::min).max(0.05);
    let scale = (36.0 / closest).max(if shortest.is_finite() { 56.0 / shortest } else { 0.0 });
    let mut placed = (Vec::new(), Vec::new());
    for stretch in STRETCHES {
        // Labels are wide but not high.
        let (scale_x, scale_y) = ((scale * stretch).min(most[0]), (scale * stretch.sqrt()).min(most[1]));
        let to_pixels = |(x, y): &(f64, f64)| [(x * scale_x).round() as i32, (y * scale_y).round() as i32];
        let pixels: Vec<[i32; 2]> = places.iter().map(to_pixels).collect();
        let (labels, fit) = place_labels(edges, &pixels);
        placed = (pixels, labels);
        if fit {
            break;
        }
    }
    placed
}

/// Returns the place of the label of each edge, beside vertices and other labels, and whether there is one for each.
fn place_labels(edges: &[MergedEdge], vertices: &[[i32; 2]]) -> (Vec<[i32; 2]>, bool) {
    /// Places on an edge, as shares of its length, in percent.
    const PLACES: [i32; 7] = [50, 42, 58, 35, 65, 28, 72];
    /// Space between labels.
    const GAP: i32 = 3;
    let mut taken: Vec<[i32; 4]> =
        vertices.iter().map(|[x, y]| [x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS]).collect();
    let mut do_all_fit = true;
    let mut found = Vec::new();
    for edge in edges {
        let ([x, y], [to_x, to_y]) = (vertices[edge.from], vertices[edge.to]);
        let at = |percent: i32| match edge.from == edge.to {
            true => [x + RADIUS, y - 2 * RADIUS - 4],
            false => [x + (to_x - x) * percent / 100, y + (to_y - y) * percent / 100],
        };
        let bounds = |place: [i32; 2]| Shape::Label(place, edge.label.clone(), Tone::Plain).bounds();
        let is_free = |percent: &i32| {
            let [left, top, right, bottom] = bounds(at(*percent));
            let is_beside = |other: &[i32; 4]| {
                right + GAP <= other[0] || other[2] + GAP <= left || bottom + GAP <= other[1] || other[3] + GAP <= top
            };
            taken.iter().all(is_beside)
        };
        let free = PLACES.into_iter().find(is_free);
        let place = at(free.unwrap_or(PLACES[0]));
        if !edge.label.is_empty() {
            do_all_fit &= free.is_some();
            taken.push(bounds(place));
        }
        found.push(place);
    }
    (found, do_all_fit)
}

/// Returns the head of an arrow that ends at the circle of a vertex.
fn arrow_head(start: [i32; 2], end: [i32; 2], tone: Tone) -> Option<Shape> {
    let (dx, dy) = (f64::from(end[0] - start[0]), f64::from(end[1] - start[1]));
    let length = (dx * dx + dy * dy).sqrt();
    if length < 1.0 {
        return None;
    }
    let (dx, dy) = (dx / length, dy / length);
    let at = |along: f64, aside: f64| {
        let (x, y) = (f64::from(end[0]) - dx * along - dy * aside, f64::from(end[1]) - dy * along + dx * aside);
        [x.round() as i32, y.round() as i32]
    };
    let radius = f64::from(RADIUS);
    let [tip, left, right] = [at(radius, 0.0), at(radius + 9.0, 4.0), at(radius + 9.0, -4.0)];
    Some(Shape::Triangle([tip[0], tip[1], left[0], left[1], right[0], right[1]], tone))
}
