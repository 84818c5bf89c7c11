//! Lays a figure out as shapes.

use super::graph_layout::place_vertices;
use super::{Figure, FigureContent, GraphFigure};

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
    /// The area of a polygon.
    Area(Vec<[i32; 2]>, Tone),
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
/// Number of characters of a text in a row.
const TEXT_COLUMNS: usize = 32;
/// Radius of a vertex.
const RADIUS: i32 = 13;
/// Side of the square in which points are.
const PLANE: i32 = 300;
/// Space around a figure.
const MARGIN: i32 = 24;
/// Maximum number of characters of a label within a cell.
const MAX_LABEL: usize = 5;

/// Lays a figure out as shapes.
pub fn draw_figure(figure: &Figure) -> Drawing {
    let painter = Painter { kept: &figure.kept };
    match &figure.content {
        FigureContent::Board(rows) => painter.draw_board(rows),
        FigureContent::HeatMap(rows) => painter.draw_heat_map(rows),
        FigureContent::Bars(numbers) => painter.draw_bars(numbers),
        FigureContent::Text(letters) => painter.draw_text(letters),
        FigureContent::Graph(graph) => painter.draw_graph(graph),
        FigureContent::Points(points) => painter.draw_points(points),
        FigureContent::Polygon(corners) => painter.draw_polygon(corners),
        FigureContent::Intervals(intervals) => painter.draw_intervals(intervals),
        FigureContent::Segments(segments) => painter.draw_segments(segments),
    }
}

/// Draws figures with elements that may be marked as kept.
struct Painter<'a> {
    kept: &'a [bool],
}

impl Painter<'_> {
    fn is_kept(&self, element: usize) -> bool {
        self.kept.get(element).copied().unwrap_or(false)
    }

    /// Returns the tone of an element: kept, or another.
    fn tone(&self, element: usize, otherwise: Tone) -> Tone {
        if self.is_kept(element) { Tone::Kept } else { otherwise }
    }

    fn draw_board(&self, rows: &[Vec<u8>]) -> Drawing {
        let mut letters: Vec<u8> = rows.concat();
        letters.sort_unstable();
        letters.dedup();
        let level = |cell: u8| match letters.iter().filter(|letter| **letter != b'.').position(|letter| *letter == cell)
        {
            Some(rank) => Tone::Level(1 + (rank % 5) as u8),
            None => Tone::Level(0),
        };
        let mut shapes = number_axes(rows.len(), rows[0].len(), [CELL, CELL]);
        let mut cells = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            let tones = row.iter().enumerate().map(|(j, cell)| self.tone(i * row.len() + j, level(*cell)));
            cells.extend(tone_runs(cell_place(i, 0, [CELL, CELL]), [CELL, CELL], tones));
        }
        shapes.extend(sort_by_tone(cells));
        shapes.extend(grid_lines(rows.len(), rows[0].len(), [CELL, CELL]));
        for (i, row) in rows.iter().enumerate() {
            let [x, y] = cell_place(i, 0, [CELL, CELL]);
            shapes.push(Shape::Letters([x, y + CELL / 2, CELL], letters_text(row)));
        }
        framed(rows.len(), rows[0].len(), [CELL, CELL], shapes)
    }

    fn draw_heat_map(&self, rows: &[Vec<i128>]) -> Drawing {
        let all = rows.concat();
        let longest = all.iter().map(|number| number.to_string().len()).max().unwrap_or(1);
        let is_labelled = longest <= MAX_LABEL && rows[0].len() <= 16;
        let side = [if is_labelled { 12 + 8 * longest as i32 } else { 14 }, if is_labelled { CELL } else { 14 }];
        let mut shapes = number_axes(rows.len(), rows[0].len(), side);
        let level = |number: i128| Tone::Level((share(number, &all) * f64::from(Tone::LEVELS - 1)).round() as u8);
        let mut cells = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            let tones = row.iter().enumerate().map(|(j, number)| self.tone(i * row.len() + j, level(*number)));
            cells.extend(tone_runs(cell_place(i, 0, side), side, tones));
        }
        shapes.extend(sort_by_tone(cells));
        shapes.extend(grid_lines(rows.len(), rows[0].len(), side));
        for (i, row) in rows.iter().enumerate().filter(|_| is_labelled) {
            for (j, number) in row.iter().enumerate() {
                let [x, y] = cell_place(i, j, side);
                shapes.push(Shape::Label([x + side[0] / 2, y + side[1] / 2], number.to_string(), Tone::Plain));
            }
        }
        framed(rows.len(), rows[0].len(), side, shapes)
    }

    fn draw_bars(&self, numbers: &[i128]) -> Drawing {
        let width = (640 / numbers.len() as i32).clamp(3, 30);
        let with_zero: Vec<i128> = numbers.iter().copied().chain([0]).collect();
        let height = |number: i128| (share(number, &with_zero) * f64::from(BAR_HEIGHT)) as i32;
        let zero = MARGIN + BAR_HEIGHT - height(0);
        let is_labelled = numbers.iter().all(|number| number.to_string().len() <= MAX_LABEL) && width >= 20;
        let mut shapes = Vec::new();
        for (i, number) in numbers.iter().enumerate() {
            let x = MARGIN + width * i as i32;
            let end = MARGIN + BAR_HEIGHT - height(*number);
            let (top, length) = (end.min(zero), (end - zero).abs().max(1));
            shapes.push(Shape::Rectangle([x, top, width - 1, length], self.tone(i, Tone::Level(3))));
            if is_labelled {
                let y = if end <= zero { end - 8 } else { end + 9 };
                shapes.push(Shape::Label([x + width / 2, y], number.to_string(), Tone::Plain));
            }
        }
        let (right, bottom) = (MARGIN + width * numbers.len() as i32, MARGIN + BAR_HEIGHT);
        shapes.push(Shape::Line([MARGIN, zero, right, zero], Tone::Muted));
        if !is_labelled {
            let ends =
                [numbers.iter().max(), numbers.iter().min()].map(|end| end.map(i128::to_string).unwrap_or_default());
            let text = format!("{} numbers, from {} to {}", numbers.len(), ends[1], ends[0]);
            shapes.push(Shape::Label([MARGIN + 110, MARGIN / 2], text, Tone::Muted));
        }
        Drawing { width: right.max(MARGIN + 220) + MARGIN, height: bottom + MARGIN, shapes }
    }

    /// Draws a text, with a line below two occurrences of its longest repeated part.
    fn draw_text(&self, letters: &[u8]) -> Drawing {
        let repeat = longest_repeat(letters);
        let mut shapes = Vec::new();
        let row_height = CELL + 12;
        for (row, line) in letters.chunks(TEXT_COLUMNS).enumerate() {
            let (start, y) = (row * TEXT_COLUMNS, MARGIN / 2 + row_height * row as i32);
            let tones = line.iter().enumerate().map(|(i, letter)| self.tone(start + i, Tone::Level(1 + letter % 4)));
            shapes.extend(tone_runs([MARGIN, y], [CELL, CELL], tones));
            shapes.push(Shape::Letters([MARGIN, y + CELL / 2, CELL], letters_text(line)));
            for (first, length) in repeat.iter().flat_map(|(starts, length)| starts.map(|first| (first, *length))) {
                // The part of the occurrence that is in this row.
                let (from, to) = (first.max(start), (first + length).min(start + line.len()));
                if from < to {
                    let x = |i: usize| MARGIN + CELL * (i - start) as i32;
                    shapes.push(Shape::Line([x(from) + 2, y + CELL + 4, x(to) - 2, y + CELL + 4], Tone::Plain));
                }
            }
        }
        let (rows, columns) = (letters.len().div_ceil(TEXT_COLUMNS) as i32, letters.len().min(TEXT_COLUMNS) as i32);
        Drawing { width: 2 * MARGIN + CELL * columns, height: MARGIN + row_height * rows, shapes }
    }

    fn draw_points(&self, points: &[[i128; 2]]) -> Drawing {
        let plane = Plane::around(points.iter().copied());
        let mut shapes = plane.axes();
        for (i, point) in points.iter().enumerate() {
            let [x, y] = plane.place(*point);
            shapes.push(Shape::Circle([x, y, 4], self.tone(i, Tone::Plain)));
        }
        plane.drawing(shapes)
    }

    /// Draws the area of a polygon, its sides and its corners; the first corner is larger. A side is kept if both of its
    /// ends are.
    fn draw_polygon(&self, corners: &[[i128; 2]]) -> Drawing {
        let plane = Plane::around(corners.iter().copied()).with_equal_scales();
        let places: Vec<[i32; 2]> = corners.iter().map(|corner| plane.place(*corner)).collect();
        let mut shapes = plane.axes();
        shapes.push(Shape::Area(places.clone(), Tone::Level(1)));
        for (i, [x, y]) in places.iter().enumerate() {
            let next = (i + 1) % places.len();
            let tone = if self.is_kept(i) { self.tone(next, Tone::Plain) } else { Tone::Plain };
            shapes.push(Shape::Line([*x, *y, places[next][0], places[next][1]], tone));
        }
        for (i, [x, y]) in places.iter().enumerate() {
            shapes.push(Shape::Circle([*x, *y, if i == 0 { 5 } else { 3 }], self.tone(i, Tone::Plain)));
        }
        plane.drawing(shapes)
    }

    fn draw_segments(&self, segments: &[[i128; 4]]) -> Drawing {
        let plane = Plane::around(segments.iter().flat_map(|[a, b, c, d]| [[*a, *b], [*c, *d]]));
        let mut shapes = plane.axes();
        for (i, [a, b, c, d]) in segments.iter().enumerate() {
            let ([x, y], [to_x, to_y]) = (plane.place([*a, *b]), plane.place([*c, *d]));
            let tone = self.tone(i, Tone::Plain);
            shapes.push(Shape::Line([x, y, to_x, to_y], tone));
            shapes.extend([[x, y], [to_x, to_y]].map(|[x, y]| Shape::Circle([x, y, 3], tone)));
        }
        plane.drawing(shapes)
    }

    fn draw_intervals(&self, intervals: &[[i128; 2]]) -> Drawing {
        let ends: Vec<i128> = intervals.iter().flatten().copied().collect();
        let longest = ends.iter().map(|end| end.to_string().len()).max().unwrap_or(1) as i32;
        let left = MARGIN + 8 * longest;
        let place = |end: i128| left + (share(end, &ends) * 400.0) as i32;
        let mut shapes = Vec::new();
        for (i, [from, to]) in intervals.iter().enumerate() {
            let y = MARGIN / 2 + 16 * i as i32 + 8;
            let tone = self.tone(i, Tone::Plain);
            let (x, to_x) = (place(*from), place(*to));
            shapes.push(Shape::Line([x, y, to_x, y], tone));
            shapes.extend([x, to_x].map(|x| Shape::Circle([x, y, 3], tone)));
            shapes.push(Shape::Label([x - 6 - 4 * longest, y], from.to_string(), Tone::Muted));
            shapes.push(Shape::Label([to_x + 6 + 4 * longest, y], to.to_string(), Tone::Muted));
        }
        Drawing { width: 2 * left + 400, height: MARGIN + 16 * intervals.len() as i32, shapes }
    }

    fn draw_graph(&self, graph: &GraphFigure) -> Drawing {
        let (places, width, height) = scaled_places(graph);
        let mut shapes = Vec::new();
        for edge in merged_edges(graph) {
            let is_kept = edge.places.iter().any(|place| self.is_kept(graph.vertices + place));
            let tone = if is_kept { Tone::Kept } else { Tone::Muted };
            shapes.extend(edge_shapes(&edge, [places[edge.from], places[edge.to]], graph.is_directed, tone));
        }
        for (vertex, [x, y]) in places.iter().enumerate() {
            shapes.push(Shape::Circle([*x, *y, RADIUS], self.tone(vertex, Tone::Level(1))));
            shapes.push(Shape::Label([*x, *y], (graph.first + vertex as i128).to_string(), Tone::Plain));
        }
        Drawing { width, height, shapes }
    }
}

/// Returns the shapes of an edge between two places.
fn edge_shapes(edge: &MergedEdge, [start, end]: [[i32; 2]; 2], is_directed: bool, tone: Tone) -> Vec<Shape> {
    let label = edge.label.clone();
    if edge.from == edge.to {
        return vec![
            Shape::Circle([start[0] + RADIUS, start[1] - RADIUS, 8], tone),
            Shape::Label([start[0] + RADIUS, start[1] - 2 * RADIUS - 4], label, Tone::Plain),
        ];
    }
    let mut shapes = vec![Shape::Line([start[0], start[1], end[0], end[1]], tone)];
    if is_directed {
        shapes.extend(arrow_head(start, end, tone));
    }
    if !label.is_empty() {
        let middle = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2];
        let half = 4 * label.chars().count() as i32 + 2;
        shapes.push(Shape::Rectangle([middle[0] - half, middle[1] - 8, 2 * half, 16], Tone::Level(0)));
        shapes.push(Shape::Label(middle, label, Tone::Plain));
    }
    shapes
}

/// Returns where a number lies between the smallest and the largest of several, from 0 to 1.
fn share(number: i128, all: &[i128]) -> f64 {
    let (low, high) = (all.iter().min().copied().unwrap_or(0), all.iter().max().copied().unwrap_or(0));
    let range = high as f64 - low as f64;
    if range == 0.0 { 0.0 } else { (number as f64 - low as f64) / range }
}

/// Returns the upper left corner of a cell.
fn cell_place(row: usize, column: usize, [width, height]: [i32; 2]) -> [i32; 2] {
    [MARGIN + width * column as i32, MARGIN + height * row as i32]
}

/// Returns a rectangle for each run of cells of the same tone in a row; the lightest cells have none.
fn tone_runs([x, y]: [i32; 2], [width, height]: [i32; 2], tones: impl Iterator<Item = Tone>) -> Vec<Shape> {
    let mut runs: Vec<(i32, i32, Tone)> = Vec::new();
    for (i, tone) in (0..).zip(tones) {
        match runs.last_mut() {
            Some((_, length, last)) if *last == tone => *length += 1,
            _ => runs.push((i, 1, tone)),
        }
    }
    let visible = runs.into_iter().filter(|(_, _, tone)| *tone != Tone::Level(0));
    visible
        .map(|(start, length, tone)| Shape::Rectangle([x + width * start, y, width * length, height], tone))
        .collect()
}

/// Returns rectangles that do not overlap with those of the same tone next to each other.
fn sort_by_tone(mut cells: Vec<Shape>) -> Vec<Shape> {
    let tone = |shape: &Shape| if let Shape::Rectangle(_, tone) = shape { Some(*tone) } else { None };
    cells.sort_by_key(tone);
    cells
}

/// Returns the lines between cells, and around them.
fn grid_lines(rows: usize, columns: usize, [width, height]: [i32; 2]) -> Vec<Shape> {
    let (right, bottom) = (MARGIN + width * columns as i32, MARGIN + height * rows as i32);
    let row = |i: usize| MARGIN + height * i as i32;
    let column = |i: usize| MARGIN + width * i as i32;
    let across = (0..=rows).map(|i| Shape::Line([MARGIN, row(i), right, row(i)], Tone::Level(0)));
    let down = (0..=columns).map(|i| Shape::Line([column(i), MARGIN, column(i), bottom], Tone::Level(0)));
    across.chain(down).collect()
}

fn letters_text(letters: &[u8]) -> String {
    letters.iter().copied().map(char::from).collect()
}

/// Returns the numbers of the rows and the columns, from 1; every fifth of many.
fn number_axes(rows: usize, columns: usize, side: [i32; 2]) -> Vec<Shape> {
    let shown = |count: usize| (0..count).filter(move |i| count <= 20 || (i + 1) % 5 == 0);
    let row = |i: usize| {
        Shape::Label([MARGIN / 2, MARGIN + side[1] * i as i32 + side[1] / 2], (i + 1).to_string(), Tone::Muted)
    };
    let column = |i: usize| {
        Shape::Label([MARGIN + side[0] * i as i32 + side[0] / 2, MARGIN / 2], (i + 1).to_string(), Tone::Muted)
    };
    shown(rows).map(row).chain(shown(columns).map(column)).collect()
}

/// Returns a drawing of cells.
fn framed(rows: usize, columns: usize, side: [i32; 2], shapes: Vec<Shape>) -> Drawing {
    let [width, height] = [side[0] * columns as i32, side[1] * rows as i32];
    Drawing { width: width + MARGIN + 4, height: height + MARGIN + 4, shapes }
}

/// Returns where the longest part that occurs twice begins, and its length, if it has at least two characters.
fn longest_repeat(letters: &[u8]) -> Option<([usize; 2], usize)> {
    let mut best: Option<([usize; 2], usize)> = None;
    for i in 0..letters.len() {
        for j in i + 1..letters.len() {
            let length = letters[i..j].iter().zip(&letters[j..]).take_while(|(a, b)| a == b).count();
            if length > best.map_or(1, |(_, length)| length) {
                best = Some(([i, j], length));
            }
        }
    }
    best
}

/// A square in which points lie, with the second coordinate upwards.
struct Plane {
    xs: [i128; 2],
    ys: [i128; 2],
}

impl Plane {
    fn around(points: impl Iterator<Item = [i128; 2]> + Clone) -> Plane {
        let range = |numbers: &mut dyn Iterator<Item = i128>| {
            numbers.fold([i128::MAX, i128::MIN], |[low, high], number| [low.min(number), high.max(number)])
        };
        let (mut xs, mut ys) = (points.clone().map(|[x, _]| x), points.map(|[_, y]| y));
        Plane { xs: range(&mut xs), ys: range(&mut ys) }
    }

    /// Returns the plane with the same scale in both directions.
    fn with_equal_scales(self) -> Plane {
        let range = |[low, high]: [i128; 2]| high.saturating_sub(low);
        let longest = range(self.xs).max(range(self.ys));
        let widened = |ends: [i128; 2]| {
            let missing = longest - range(ends);
            [ends[0].saturating_sub(missing / 2), ends[1].saturating_add(missing - missing / 2)]
        };
        Plane { xs: widened(self.xs), ys: widened(self.ys) }
    }

    fn place(&self, [x, y]: [i128; 2]) -> [i32; 2] {
        let scale = |number: i128, ends: &[i128; 2]| (share(number, ends) * f64::from(PLANE)) as i32;
        [2 * MARGIN + scale(x, &self.xs), MARGIN + PLANE - scale(y, &self.ys)]
    }

    fn axes(&self) -> Vec<Shape> {
        let (left, bottom) = (2 * MARGIN, MARGIN + PLANE);
        let label = |x: i32, y: i32, number: i128| Shape::Label([x, y], number.to_string(), Tone::Muted);
        let mut shapes = vec![
            Shape::Line([left, bottom + 6, left + PLANE, bottom + 6], Tone::Muted),
            Shape::Line([left - 6, MARGIN, left - 6, bottom], Tone::Muted),
            label(left, bottom + 16, self.xs[0]),
            label(MARGIN - 2, bottom, self.ys[0]),
        ];
        if self.xs[1] > self.xs[0] {
            shapes.push(label(left + PLANE, bottom + 16, self.xs[1]));
        }
        if self.ys[1] > self.ys[0] {
            shapes.push(label(MARGIN - 2, MARGIN, self.ys[1]));
        }
        shapes
    }

    fn drawing(&self, shapes: Vec<Shape>) -> Drawing {
        Drawing { width: PLANE + 4 * MARGIN, height: PLANE + 3 * MARGIN, shapes }
    }
}

/// Returns the place of each vertex in pixels, and the width and the height of the drawing.
fn scaled_places(graph: &GraphFigure) -> (Vec<[i32; 2]>, i32, i32) {
    let places = place_vertices(graph);
    let low = |part: fn(&(f64, f64)) -> f64| places.iter().map(part).fold(f64::INFINITY, f64::min);
    let high = |part: fn(&(f64, f64)) -> f64| places.iter().map(part).fold(f64::NEG_INFINITY, f64::max);
    let (left, top) = (low(|place| place.0), low(|place| place.1));
    let (range_x, range_y) = (high(|place| place.0) - left, high(|place| place.1) - top);
    let distance = |a: usize, b: usize| {
        let (dx, dy) = (places[a].0 - places[b].0, places[a].1 - places[b].1);
        (dx * dx + dy * dy).sqrt()
    };
    let pairs = (0..graph.vertices).flat_map(|a| (0..a).map(move |b| (a, b)));
    let closest = pairs.map(|(a, b)| distance(a, b)).fold(f64::INFINITY, f64::min).max(0.05);
    let shortest = graph.edges.iter().filter(|(from, to, _)| from != to).map(|(from, to, _)| distance(*from, *to));
    let shortest = shortest.fold(f64::INFINITY, f64::min).max(0.05);
    // Vertices do not overlap, and edges have room for a label, unless the graph would be too large for a page.
    let wanted = (36.0 / closest).max(if shortest.is_finite() { 56.0 / shortest } else { 0.0 });
    let scale = wanted.min(1000.0 / range_x.max(0.1)).min(800.0 / range_y.max(0.1));
    let to_pixels = |(x, y): &(f64, f64)| {
        [MARGIN + ((x - left) * scale).round() as i32, MARGIN + 8 + ((y - top) * scale).round() as i32]
    };
    let pixels = places.iter().map(to_pixels).collect();
    let size = |range: f64, scale: f64| (range * scale).round() as i32 + 2 * MARGIN;
    (pixels, size(range_x, scale), size(range_y, scale) + 8)
}

/// The edges between two vertices.
struct MergedEdge {
    from: usize,
    to: usize,
    /// The labels of all.
    label: String,
    /// Their places among all edges.
    places: Vec<usize>,
}

/// Returns the edges, with those between the same vertices as one that has all of their labels.
fn merged_edges(graph: &GraphFigure) -> Vec<MergedEdge> {
    let mut merged: Vec<(usize, usize, Vec<usize>)> = Vec::new();
    for (place, (from, to, _)) in graph.edges.iter().enumerate() {
        let is_same = |other: &&mut (usize, usize, Vec<usize>)| {
            (other.0, other.1) == (*from, *to) || !graph.is_directed && (other.0, other.1) == (*to, *from)
        };
        match merged.iter_mut().find(is_same) {
            Some((_, _, places)) => places.push(place),
            None => merged.push((*from, *to, vec![place])),
        }
    }
    let text = |labels: Vec<&str>| match labels[..] {
        [label] => label.to_owned(),
        _ if labels.iter().all(|label| label.is_empty()) => format!("x{}", labels.len()),
        _ => labels.join(", "),
    };
    let label = |places: &[usize]| text(places.iter().map(|place| graph.edges[*place].2.as_str()).collect());
    let edge = |(from, to, places): (usize, usize, Vec<usize>)| MergedEdge { from, to, label: label(&places), places };
    merged.into_iter().map(edge).collect()
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
