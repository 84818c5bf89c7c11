//! Places the vertices of a graph: trees and directed graphs without cycles in layers, others by forces.

use super::GraphFigure;

/// Number of steps of the layout by forces.
const STEPS: usize = 300;

/// Returns the place of each vertex, in units of the distance between neighbours. The first coordinate grows to the
/// right, the second downwards.
pub(super) fn place_vertices(graph: &GraphFigure) -> Vec<(f64, f64)> {
    place_forest(graph).or_else(|| place_layers(graph)).unwrap_or_else(|| place_with_row(graph))
}

/// Places the vertices that have neighbours by forces, which would drive the others far away, and these in a row below.
fn place_with_row(graph: &GraphFigure) -> Vec<(f64, f64)> {
    let mut is_linked = vec![false; graph.vertices];
    for (from, to, _) in graph.edges.iter().filter(|(from, to, _)| from != to) {
        (is_linked[*from], is_linked[*to]) = (true, true);
    }
    let linked: Vec<usize> = (0..graph.vertices).filter(|vertex| is_linked[*vertex]).collect();
    let mut numbers = vec![None; graph.vertices];
    linked.iter().enumerate().for_each(|(number, vertex)| numbers[*vertex] = Some(number));
    let renumber = |(from, to, label): &(usize, usize, String)| Some((numbers[*from]?, numbers[*to]?, label.clone()));
    let edges = graph.edges.iter().filter_map(renumber).collect();
    let part = GraphFigure { first: graph.first, vertices: linked.len(), edges, is_directed: graph.is_directed };
    let placed = place_by_forces(&part);
    let low = placed.iter().map(|place| place.0).fold(f64::INFINITY, f64::min);
    let bottom = placed.iter().map(|place| place.1).fold(f64::NEG_INFINITY, f64::max);
    let (left, row) = if placed.is_empty() { (0.0, 0.0) } else { (low, bottom + 1.0) };
    let mut next = 0.0;
    let mut place_in_row = || {
        next += 1.0;
        (left + next - 1.0, row)
    };
    numbers.into_iter().map(|number| number.map_or_else(&mut place_in_row, |number| placed[number])).collect()
}

/// Returns the neighbours of each vertex.
fn neighbours(graph: &GraphFigure) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new(); graph.vertices];
    for (from, to, _) in &graph.edges {
        all[*from].push(*to);
        all[*to].push(*from);
    }
    all
}

/// Places a graph without cycles: the leaves next to each other, every other vertex above the middle of its children.
fn place_forest(graph: &GraphFigure) -> Option<Vec<(f64, f64)>> {
    let all = neighbours(graph);
    let mut parents: Vec<Option<usize>> = vec![None; graph.vertices];
    let mut is_seen = vec![false; graph.vertices];
    let mut order = Vec::new();
    let mut depths = vec![0_u32; graph.vertices];
    for root in roots(graph) {
        let mut stack = if is_seen[root] { Vec::new() } else { vec![root] };
        is_seen[root] = true;
        while let Some(vertex) = stack.pop() {
            order.push(vertex);
            let mut is_parent_skipped = false;
            for next in all[vertex].iter().rev() {
                if Some(*next) == parents[vertex] && !is_parent_skipped {
                    is_parent_skipped = true;
                } else if is_seen[*next] {
                    return None;
                } else {
                    (is_seen[*next], parents[*next], depths[*next]) = (true, Some(vertex), depths[vertex] + 1);
                    stack.push(*next);
                }
            }
        }
    }
    Some(place_in_order(&order, &parents, &depths))
}

/// Returns the vertices in the order in which they are tried as roots: if edges have a direction, those without an
/// edge to them come first.
fn roots(graph: &GraphFigure) -> Vec<usize> {
    let has_parent = |vertex: &usize| graph.is_directed && graph.edges.iter().any(|(_, to, _)| to == vertex);
    let (later, first): (Vec<usize>, Vec<usize>) = (0..graph.vertices).partition(has_parent);
    first.into_iter().chain(later).collect()
}

/// Places the vertices of a forest that are given in preorder.
fn place_in_order(order: &[usize], parents: &[Option<usize>], depths: &[u32]) -> Vec<(f64, f64)> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    for vertex in order {
        if let Some(parent) = parents[*vertex] {
            children[parent].push(*vertex);
        }
    }
    let mut columns = vec![0.0; parents.len()];
    let mut next_leaf = 0.0;
    for vertex in order {
        if children[*vertex].is_empty() {
            columns[*vertex] = next_leaf;
            next_leaf += 1.0;
        }
    }
    for vertex in order.iter().rev() {
        if let (Some(first), Some(last)) = (children[*vertex].first(), children[*vertex].last()) {
            columns[*vertex] = (columns[*first] + columns[*last]) / 2.0;
        }
    }
    columns.into_iter().zip(depths).map(|(column, depth)| (column, f64::from(*depth))).collect()
}

/// Places a directed graph without cycles: each edge leads downwards.
fn place_layers(graph: &GraphFigure) -> Option<Vec<(f64, f64)>> {
    if !graph.is_directed || graph.edges.iter().any(|(from, to, _)| from == to) {
        return None;
    }
    let mut layers = vec![0_usize; graph.vertices];
    // Without a cycle, a path has fewer edges than there are vertices.
    for round in 0..=graph.vertices {
        let mut is_changed = false;
        for (from, to, _) in &graph.edges {
            if layers[*to] <= layers[*from] {
                layers[*to] = layers[*from] + 1;
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
        if round == graph.vertices {
            return None;
        }
    }
    let depth = layers.iter().max().copied().unwrap_or(0);
    let mut columns = vec![0.0; graph.vertices];
    for layer in 0..=depth {
        let mut inside: Vec<usize> = (0..graph.vertices).filter(|vertex| layers[*vertex] == layer).collect();
        let middle = |vertex: &usize| mean(graph.edges.iter().filter(|e| e.1 == *vertex).map(|e| columns[e.0]));
        let keys: Vec<f64> = (0..graph.vertices).map(|vertex| middle(&vertex)).collect();
        inside.sort_by(|a, b| keys[*a].total_cmp(&keys[*b]).then(a.cmp(b)));
        let offset = (inside.len() as f64 - 1.0) / 2.0;
        for (i, vertex) in inside.into_iter().enumerate() {
            columns[vertex] = i as f64 - offset;
        }
    }
    uncover_edges(graph, &layers, &mut columns);
    Some(columns.into_iter().zip(layers).map(|(column, layer)| (column, layer as f64)).collect())
}

/// Moves the vertices that an edge would pass through, and those to their right: an edge behind a vertex looks like two.
fn uncover_edges(graph: &GraphFigure, layers: &[usize], columns: &mut [f64]) {
    /// How far a vertex is moved.
    const STEP: f64 = 0.5;
    for _ in 0..2 * graph.vertices {
        let Some(vertex) = (0..graph.vertices).find(|vertex| is_passed(graph, layers, columns, *vertex)) else {
            return;
        };
        let (layer, column) = (layers[vertex], columns[vertex]);
        for other in (0..graph.vertices).filter(|other| layers[*other] == layer) {
            columns[other] += if columns[other] >= column { STEP } else { 0.0 };
        }
    }
}

/// Returns true if an edge between other vertices passes through a vertex.
fn is_passed(graph: &GraphFigure, layers: &[usize], columns: &[f64], vertex: usize) -> bool {
    /// Distance at which an edge touches a vertex.
    const TOUCH: f64 = 0.4;
    graph.edges.iter().filter(|edge| layers[edge.0] < layers[vertex] && layers[vertex] < layers[edge.1]).any(|edge| {
        let (from, to) = (edge.0, edge.1);
        let share = (layers[vertex] - layers[from]) as f64 / (layers[to] - layers[from]) as f64;
        let column = columns[from] + (columns[to] - columns[from]) * share;
        (column - columns[vertex]).abs() < TOUCH
    })
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0.0), |(sum, count), number| (sum + number, count + 1.0));
    if count == 0.0 { 0.0 } else { sum / count }
}

/// Places a graph by forces: all vertices repel each other, and edges attract, in steps that become smaller. The layout
/// uses only sums, products, quotients and square roots, which have the same results on each platform.
fn place_by_forces(graph: &GraphFigure) -> Vec<(f64, f64)> {
    /// Distance beyond which vertices without a path between them do not repel each other.
    const REACH: f64 = 3.0;
    let components = component_numbers(graph);
    let mut places = initial_places(graph.vertices);
    let count = graph.vertices as f64;
    for step in 0..STEPS {
        let mut moves = vec![(0.0, 0.0); graph.vertices];
        for a in 0..graph.vertices {
            for b in 0..a {
                let (dx, dy, distance) = difference(places[a], places[b]);
                if components[a] == components[b] || distance < REACH {
                    push(&mut moves, (a, b), (dx, dy), 1.0 / (distance * distance));
                }
            }
            // A weak force towards the middle keeps components together.
            moves[a].0 -= places[a].0 * 0.02;
            moves[a].1 -= places[a].1 * 0.02;
        }
        for (from, to, _) in graph.edges.iter().filter(|(from, to, _)| from != to) {
            let (dx, dy, distance) = difference(places[*from], places[*to]);
            push(&mut moves, (*from, *to), (dx, dy), -distance);
        }
        let longest = 0.1 * count.sqrt() * (1.0 - step as f64 / STEPS as f64) + 0.001;
        for (place, (dx, dy)) in places.iter_mut().zip(moves) {
            let length = (dx * dx + dy * dy).sqrt().max(1e-9);
            let factor = length.min(longest) / length;
            place.0 += dx * factor;
            place.1 += dy * factor;
        }
    }
    places
}

/// Returns a number for each vertex, which is the same for those with a path between them.
fn component_numbers(graph: &GraphFigure) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..graph.vertices).collect();
    // Each round takes the smallest number at least one edge further.
    for _ in 0..graph.vertices {
        for (from, to, _) in &graph.edges {
            let smallest = numbers[*from].min(numbers[*to]);
            (numbers[*from], numbers[*to]) = (smallest, smallest);
        }
    }
    numbers
}

/// Places vertices on a spiral, each a fixed angle after the one before.
fn initial_places(vertices: usize) -> Vec<(f64, f64)> {
    // Cosine and sine of the golden angle.
    const TURN: (f64, f64) = (-0.737_368_878_078_320_1, 0.675_490_294_261_523_7);
    let mut direction = (1.0, 0.0);
    let mut places = Vec::with_capacity(vertices);
    for i in 0..vertices {
        let radius = (i as f64 + 0.5).sqrt() * 0.6;
        places.push((direction.0 * radius, direction.1 * radius));
        let (x, y): (f64, f64) = direction;
        direction = (x * TURN.0 - y * TURN.1, x * TURN.1 + y * TURN.0);
    }
    places
}

/// Returns the vector from `b` to `a`, and its length, which is never 0.
fn difference(a: (f64, f64), b: (f64, f64)) -> (f64, f64, f64) {
    let (dx, dy) = (a.0 - b.0, a.1 - b.1);
    (dx, dy, (dx * dx + dy * dy).sqrt().max(0.01))
}

/// Moves one vertex along a vector, and the other against it.
fn push(moves: &mut [(f64, f64)], (a, b): (usize, usize), (dx, dy): (f64, f64), factor: f64) {
    moves[a].0 += dx * factor;
    moves[a].1 += dy * factor;
    moves[b].0 -= dx * factor;
    moves[b].1 -= dy * factor;
}
