//! Finds the parts of an input that can be drawn.

use super::{BoardFigure, Figure, FigureContent, GraphFigure, bar_summary};
use crate::constraints::collect_edges;
use crate::model::{
    BlockId, BlockKind, Comparison, Expr, FieldId, FieldKind, Format, GraphConstraint, GraphEdges, GraphProperty,
    LayoutItem,
};
use crate::value::{self, InstanceList, Value, ValueScope, describe_place, visit_instances, visit_scopes};

/// Maximum number of cells, bars, edges and so on in all figures of an input.
const MAX_DRAWN: usize = 800;

/// Maximum number of figures of an input.
const MAX_FIGURES: usize = 12;

/// Maximum number of elements of an input that is drawn.
const MAX_ELEMENTS: usize = 5000;

/// Maximum number of rows and columns of a board.
const MAX_SIDE: usize = 60;

/// Maximum number of bars or points.
const MAX_ITEMS: usize = 200;

/// Maximum number of vertices of a graph.
const MAX_VERTICES: usize = 60;

/// Maximum number of edges of a graph.
const MAX_EDGES: usize = 150;

/// Returns the figures of an input, in the order of its parts. Parts that are too large are left out.
pub fn figures_of_input(format: &Format, value: &Value) -> Vec<Figure> {
    if value.element_count() > MAX_ELEMENTS {
        return Vec::new();
    }
    let mut figures = Vec::new();
    let graphs: Vec<(BlockId, &GraphConstraint)> = format
        .constraints
        .iter()
        .filter_map(|constraint| Some((constraint.home_block, constraint.rule.graph()?)))
        .collect();
    for (home, graph) in &graphs {
        collect_graphs(format, value, *home, graph, &mut figures);
    }
    for block in format.block_ids() {
        if !graphs.iter().any(|(_, graph)| graph.line_edges().is_some_and(|(lines, _)| lines == block)) {
            collect_rows(format, value, block, &mut figures);
        }
        for field in format.fields_in_block(block) {
            let is_parent =
                |edges: &GraphEdges| matches!(edges, GraphEdges::Parents { field: own, .. } if *own == field);
            if !graphs.iter().any(|(_, graph)| is_parent(&graph.edges)) {
                collect_field(format, value, block, field, &mut figures);
            }
        }
    }
    let mut drawn = 0;
    let fits = |figure: &Figure| {
        drawn += part_count(&figure.content);
        drawn <= MAX_DRAWN
    };
    figures.into_iter().take(MAX_FIGURES).take_while(fits).collect()
}

fn part_count(content: &FigureContent) -> usize {
    match content {
        FigureContent::Board(board) => board.rows.iter().map(Vec::len).sum(),
        FigureContent::Graph(graph) => graph.vertices + graph.edges.len(),
        FigureContent::Bars(rows) | FigureContent::Points(rows) => rows.len(),
    }
}

fn new_figure(title: String, content: FigureContent) -> Figure {
    Figure { title, content, kept: Vec::new() }
}

/// Adds the graphs of a constraint, one for each instance of its block.
fn collect_graphs(format: &Format, root: &Value, home: BlockId, rule: &GraphConstraint, figures: &mut Vec<Figure>) {
    let mut number = 0;
    let is_repeated = format.repetition_of(home).is_some();
    visit_scopes(format, root, home, &mut |scope| {
        number += 1;
        let Some((vertices, ends)) = collect_edges(rule, scope) else { return };
        if vertices > MAX_VERTICES || ends.len() > MAX_EDGES || figures.len() >= MAX_FIGURES {
            return;
        }
        let Ok(first) = value::evaluate_number(&rule.vertices.0, scope) else { return };
        let labels = edge_labels(format, rule, scope);
        let label = |i: usize| labels.get(i).cloned().unwrap_or_default();
        let edges = ends.iter().enumerate().map(|(i, (from, to))| (*from, *to, label(i))).collect();
        let is_directed = rule.has_property(GraphProperty::Directed);
        let noun = if rule.has_property(GraphProperty::Tree) { "tree" } else { "graph" };
        let title = if is_repeated { format!("{noun} of repetition {number}") } else { noun.to_owned() };
        let graph = GraphFigure { first, vertices, edges, is_directed };
        figures.push(new_figure(title, FigureContent::Graph(graph)));
    });
}

/// Returns the other numbers on the line of each edge.
fn edge_labels(format: &Format, rule: &GraphConstraint, scope: &ValueScope<'_>) -> Vec<String> {
    let Some((block, ends)) = rule.edge_lines() else { return Vec::new() };
    let Some((_, instances)) = scope.instances_of(block) else { return Vec::new() };
    let others: Vec<FieldId> = format
        .fields_in_block(block)
        .filter(|field| *field != ends.0 && *field != ends.1 && format.field(*field).is_scalar())
        .collect();
    let label = |instance: &[Value]| {
        let number = |field: &FieldId| {
            let info = format.field(*field);
            Some(info.format_number(instance.get(info.slot)?.as_int()?))
        };
        others.iter().filter_map(number).collect::<Vec<_>>().join(" ")
    };
    match rule.selection().map(|selection| selection.selected_lines(block, scope).unwrap_or_default()) {
        None => instances.iter().map(label).collect(),
        Some(lines) => lines.iter().filter_map(|line| instances.get(*line)).map(label).collect(),
    }
}

/// Adds the arrays and boards of a field.
fn collect_field(format: &Format, root: &Value, block: BlockId, field: FieldId, figures: &mut Vec<Figure>) {
    let info = format.field(field);
    visit_instances(format, root, block, &mut |path, slots| {
        let content = slots.get(info.slot).and_then(|value| field_content(&info.kind, value));
        if let Some(content) = content.filter(|_| figures.len() < MAX_FIGURES) {
            let path: Vec<usize> = path.iter().copied().chain([info.slot]).collect();
            figures.push(new_figure(describe_place(format, &path, None), content));
        }
    });
}

fn field_content(kind: &FieldKind, value: &Value) -> Option<FigureContent> {
    let has_letters = !matches!(kind, FieldKind::Number | FieldKind::Real(_));
    match value {
        Value::Ints(numbers) if !has_letters && (2..=MAX_ITEMS).contains(&numbers.len()) => {
            Some(FigureContent::Bars(numbers.iter().map(|number| [0, *number]).collect()))
        }
        Value::List(rows) => {
            let to_row = |row: &Value| match row {
                Value::Ints(numbers) if !has_letters => Some(numbers.clone()),
                Value::Text(letters) if has_letters => Some(letters.iter().copied().map(i128::from).collect()),
                _ => None,
            };
            let rows = rows.iter().map(to_row).collect::<Option<Vec<Vec<i128>>>>()?;
            let width = rows.first()?.len();
            let fits = rows.len() <= MAX_SIDE && (1..=MAX_SIDE).contains(&width) && rows.len() * width > 1;
            let is_even = rows.iter().all(|row| row.len() == width);
            (fits && is_even).then_some(FigureContent::Board(BoardFigure { rows, has_letters }))
        }
        _ => None,
    }
}

/// Adds the repeated lines of a block, if they have one or two numbers: as bars, or as points or intervals.
fn collect_rows(format: &Format, root: &Value, block: BlockId, figures: &mut Vec<Figure>) {
    let info = format.block(block);
    let (BlockKind::Repeat, Some(parent)) = (info.kind, info.parent) else { return };
    let fields: Vec<FieldId> = format.fields_in_block(block).collect();
    let is_plain = |field: &FieldId| {
        format.field(*field).is_scalar() && matches!(format.field(*field).kind, FieldKind::Number | FieldKind::Real(_))
    };
    let has_lines_only = info.items.iter().all(|item| matches!(item, LayoutItem::Line(_)));
    if !has_lines_only || !fields.iter().all(is_plain) {
        return;
    }
    visit_instances(format, root, parent, &mut |path, slots| {
        let rows = slots.get(info.slot).map_or(InstanceList::empty_list(), Value::as_instances);
        let is_drawn = (2..=MAX_ITEMS).contains(&rows.len()) && figures.len() < MAX_FIGURES;
        if let Some(content) = is_drawn.then(|| row_content(format, &fields, rows)).flatten() {
            let names: Vec<&str> = fields.iter().map(|field| format.field(*field).name.as_str()).collect();
            let place = describe_place(format, path, None);
            let place = if place.is_empty() { place } else { place + ", " };
            figures.push(new_figure(format!("{place}({})", names.join(", ")), content));
        }
    });
}

/// Returns the figure of repeated lines with these fields.
fn row_content(format: &Format, fields: &[FieldId], rows: &InstanceList) -> Option<FigureContent> {
    let number = |row: &[Value], field: FieldId| row.get(format.field(field).slot)?.as_int();
    match *fields {
        [field] => {
            rows.iter().map(|row| Some([0, number(row, field)?])).collect::<Option<_>>().map(FigureContent::Bars)
        }
        [a, b] => {
            let pairs = rows.iter().map(|row| Some([number(row, a)?, number(row, b)?])).collect::<Option<_>>()?;
            Some(if is_interval(format, a, b) { FigureContent::Bars(pairs) } else { FigureContent::Points(pairs) })
        }
        _ => None,
    }
}

/// Returns true if a constraint says that the first number is at most the second.
fn is_interval(format: &Format, a: FieldId, b: FieldId) -> bool {
    format
        .comparisons()
        .filter_map(Comparison::upper_bound)
        .any(|(low, _, high)| *low == Expr::Field(a) && *high == Expr::Field(b))
}

// Renders a figure as lines of characters.

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
