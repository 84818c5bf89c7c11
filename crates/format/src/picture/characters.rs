//! Renders a figure as lines of characters.

use super::{BoardFigure, Figure, FigureContent, GraphFigure, bar_summary};

/// Number of rows of bars and of a plane.
const ROWS: usize = 8;
/// Maximum number of columns.
const COLUMNS: usize = 72;
/// Eighths of a cell, from the bottom.
const EIGHTHS: [char; 9] =
    [' ', '\u{2581}', '\u{2582}', '\u{2583}', '\u{2584}', '\u{2585}', '\u{2586}', '\u{2587}', '\u{2588}'];

/// Renders a figure as lines of characters, below a line with its title.
pub fn figure_lines(figure: &Figure) -> Vec<String> {
    let lines = match &figure.content {
        FigureContent::Board(board) => board_lines(board),
        FigureContent::Bars(bars) => bar_lines(bars),
        FigureContent::Graph(graph) => graph_lines(graph),
        FigureContent::Points(points) => plane_lines(points),
    };
    let lines = lines.into_iter().map(|line: String| format!("  {}", line.trim_end()));
    [figure.title.clone()].into_iter().chain(lines).collect()
}

/// Renders cells in columns, with the numbers of rows and columns.
fn board_lines(board: &BoardFigure) -> Vec<String> {
    let columns = board.rows[0].len();
    let cells: Vec<Vec<String>> =
        board.rows.iter().map(|row| row.iter().map(|cell| board.cell_text(*cell)).collect()).collect();
    let longest = cells.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(0);
    let width = longest.max(columns.to_string().len()) + 1;
    let head: String = (1..=columns).map(|column| format!("{column:>width$}")).collect();
    let gutter = cells.len().to_string().len();
    let row = |(i, row): (usize, &Vec<String>)| {
        let cells: String = row.iter().map(|cell| format!("{cell:>width$}")).collect();
        format!("{:>gutter$} {cells}", i + 1)
    };
    [format!("{:gutter$} {head}", "")].into_iter().chain(cells.iter().enumerate().map(row)).collect()
}

/// Renders bars with their numbers below, or without them if they are many.
fn bar_lines(bars: &[[i128; 2]]) -> Vec<String> {
    let (low, high) =
        (bars.iter().flatten().min().copied().unwrap_or(0), bars.iter().flatten().max().copied().unwrap_or(0));
    let range = high as f64 - low as f64;
    let eighths = |number: i128| {
        let share = if range == 0.0 { 0.0 } else { (number as f64 - low as f64) / range };
        (share * (ROWS * 8) as f64).round() as usize
    };
    let labels: Vec<String> =
        bars.iter().map(|[from, to]| if *from == 0 { to.to_string() } else { format!("{from}..{to}") }).collect();
    let longest = labels.iter().map(String::len).max().unwrap_or(1);
    let is_labelled = bars.len() * (longest + 1) <= COLUMNS;
    let (width, gap) = if is_labelled { (longest, " ") } else { (1, "") };
    let shown = bars.len().min(COLUMNS);
    let row = |row: usize| {
        let cell = |[from, to]: &[i128; 2]| {
            let [bottom, top] = [eighths(*from.min(to)), eighths(*from.max(to))];
            let height = if row * 8 + 8 <= bottom { 0 } else { top.saturating_sub(row * 8).min(8) };
            EIGHTHS[height].to_string().repeat(width)
        };
        bars[..shown].iter().map(cell).collect::<Vec<_>>().join(gap)
    };
    let mut lines: Vec<String> = (0..ROWS).rev().map(row).skip_while(|line| line.trim().is_empty()).collect();
    lines.push(match is_labelled {
        true => labels.iter().map(|label| format!("{label:>width$}")).collect::<Vec<_>>().join(gap),
        false => bar_summary(bars),
    });
    lines
}

/// Renders the edges of each vertex that has some, with their labels.
fn graph_lines(graph: &GraphFigure) -> Vec<String> {
    let name = |vertex: usize| (graph.first + vertex as i128).to_string();
    let sign = if graph.is_directed { "->" } else { "-" };
    let width = name(graph.vertices.saturating_sub(1)).len();
    let line = |vertex: usize| {
        let ends = graph.edges.iter().filter_map(|(from, to, label)| {
            let other = match (*from == vertex, *to == vertex) {
                (true, _) => *to,
                (false, true) if !graph.is_directed => *from,
                _ => return None,
            };
            Some(if label.is_empty() { name(other) } else { format!("{} ({label})", name(other)) })
        });
        let ends: Vec<String> = ends.collect();
        (!ends.is_empty()).then(|| format!("{:>width$} {sign} {}", name(vertex), ends.join(", ")))
    };
    let head = format!("{} vertices, {} edges", graph.vertices, graph.edges.len());
    [head].into_iter().chain((0..graph.vertices).filter_map(line)).collect()
}

/// Renders points in a frame, the second coordinate upwards.
fn plane_lines(points: &[[i128; 2]]) -> Vec<String> {
    let end = |part: usize, pick: fn(i128, i128) -> i128| points.iter().map(|p| p[part]).reduce(pick).unwrap_or(0);
    let [low_x, high_x, low_y, high_y] = [end(0, Ord::min), end(0, Ord::max), end(1, Ord::min), end(1, Ord::max)];
    let scale = |number: i128, low: i128, high: i128, steps: usize| {
        let range = high as f64 - low as f64;
        if range == 0.0 { 0 } else { ((number as f64 - low as f64) / range * (steps - 1) as f64).round() as usize }
    };
    let (columns, rows) = (COLUMNS / 2, ROWS * 2);
    let mut cells = vec![vec![' '; columns]; rows];
    for [x, y] in points {
        cells[rows - 1 - scale(*y, low_y, high_y, rows)][scale(*x, low_x, high_x, columns)] = '*';
    }
    let lines = cells.into_iter().map(|row| format!("|{}", row.into_iter().collect::<String>()));
    let ends = format!("x from {low_x} to {high_x}, y from {low_y} to {high_y}");
    lines.chain(["+".to_owned() + &"-".repeat(columns), ends]).collect()
}
