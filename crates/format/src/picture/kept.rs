//! Which elements of an input shrinking kept.

use super::{Figure, FigureContent, GraphFigure};
use std::collections::BTreeMap;

/// Maximum number of vertices that a search tries to assign.
const MAX_TRIES: usize = 20_000;

/// Marks the elements of each figure that are also in the figure of the same place in another input, in the same order:
/// bars and points by a longest common subsequence, cells if one board contains the other, vertices and edges if one
/// graph is a part of the other. Figures without a counterpart are not marked.
pub fn mark_kept(figures: &mut [Figure], shrunk: &[Figure]) {
    for figure in figures {
        let Some(other) = shrunk.iter().find(|other| other.title == figure.title) else { continue };
        figure.kept = match (&figure.content, &other.content) {
            (FigureContent::Bars(all), FigureContent::Bars(kept))
            | (FigureContent::Points(all), FigureContent::Points(kept)) => common_elements(all, kept),
            (FigureContent::Board(all), FigureContent::Board(kept)) => contained_cells(&all.rows, &kept.rows),
            (FigureContent::Graph(all), FigureContent::Graph(kept)) => contained_graph(all, kept),
            _ => Vec::new(),
        };
    }
}

/// Returns whether each element is part of a longest common subsequence with `kept`.
fn common_elements<T: PartialEq>(all: &[T], kept: &[T]) -> Vec<bool> {
    let width = kept.len() + 1;
    // The length for the rest of `all` from i on and of `kept` from j on.
    let mut lengths = vec![0_usize; (all.len() + 1) * width];
    for i in (0..all.len()).rev() {
        for j in (0..kept.len()).rev() {
            let skipped = lengths[(i + 1) * width + j].max(lengths[i * width + j + 1]);
            let paired = if all[i] == kept[j] { lengths[(i + 1) * width + j + 1] + 1 } else { 0 };
            lengths[i * width + j] = skipped.max(paired);
        }
    }
    let mut marks = vec![false; all.len()];
    let (mut i, mut j) = (0, 0);
    while i < all.len() && j < kept.len() {
        if all[i] == kept[j] && lengths[i * width + j] == lengths[(i + 1) * width + j + 1] + 1 {
            marks[i] = true;
            (i, j) = (i + 1, j + 1);
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    marks
}

/// Returns whether each cell, row by row, is in the first place at which `part` occurs. Empty if it does not occur.
fn contained_cells<T: PartialEq>(whole: &[Vec<T>], part: &[Vec<T>]) -> Vec<bool> {
    let (width, part_width) = (whole.first().map_or(0, Vec::len), part.first().map_or(0, Vec::len));
    if part.len() > whole.len() || part_width > width || part_width == 0 {
        return Vec::new();
    }
    let occurs = |top: usize, left: usize| {
        part.iter().zip(&whole[top..]).all(|(row, whole)| whole[left..left + part_width] == **row)
    };
    let places = (0..=whole.len() - part.len()).flat_map(|top| (0..=width - part_width).map(move |left| (top, left)));
    let Some((top, left)) = places.into_iter().find(|(top, left)| occurs(*top, *left)) else { return Vec::new() };
    let rows = 0..whole.len();
    rows.flat_map(|row| (0..width).map(move |column| (row, column)))
        .map(|(row, column)| (top..top + part.len()).contains(&row) && (left..left + part_width).contains(&column))
        .collect()
}

/// Returns whether each vertex, and then each edge, belongs to a part of `whole` that looks like `part`. A part with
/// the same weights is preferred to another, and one with its vertices in the same order to another. Empty if there is
/// no such part, if none is found soon, or if `part` has no edges. Shrinking numbers vertices anew, so this is a search.
fn contained_graph(whole: &GraphFigure, part: &GraphFigure) -> Vec<bool> {
    for (has_same_labels, is_in_order) in [(true, true), (true, false), (false, true), (false, false)] {
        let mut search = PartSearch::new(whole, part, has_same_labels, is_in_order);
        if !search.order.is_empty() && search.assign_vertices(0) {
            return search.marks();
        }
    }
    Vec::new()
}

/// The places of the edges between two vertices. Without directions, the first vertex is the smaller one.
type EdgesByEnds = BTreeMap<(usize, usize), Vec<usize>>;

/// A search for an assignment of the vertices of a small graph to those of a large one.
struct PartSearch<'g> {
    whole: &'g GraphFigure,
    part: &'g GraphFigure,
    whole_edges: EdgesByEnds,
    part_edges: EdgesByEnds,
    has_same_labels: bool,
    is_in_order: bool,
    /// The vertices of the part that have edges, each but the first of a component next to an earlier one.
    order: Vec<usize>,
    /// The vertex of the whole for each of the part.
    assigned: Vec<Option<usize>>,
    tries: usize,
}

impl<'g> PartSearch<'g> {
    fn new(whole: &'g GraphFigure, part: &'g GraphFigure, has_same_labels: bool, is_in_order: bool) -> Self {
        PartSearch {
            whole,
            part,
            whole_edges: edges_by_ends(whole),
            part_edges: edges_by_ends(part),
            has_same_labels,
            is_in_order,
            order: connected_order(part),
            assigned: vec![None; part.vertices],
            tries: 0,
        }
    }

    /// Assigns the vertices from this position of the order on. Returns true if that is possible.
    fn assign_vertices(&mut self, position: usize) -> bool {
        let Some(&vertex) = self.order.get(position) else { return true };
        for candidate in 0..self.whole.vertices {
            self.tries += 1;
            if self.tries > MAX_TRIES {
                return false;
            }
            if self.fits(vertex, candidate) {
                self.assigned[vertex] = Some(candidate);
                if self.assign_vertices(position + 1) {
                    return true;
                }
                self.assigned[vertex] = None;
            }
        }
        false
    }

    /// Returns true if a vertex of the whole has the edges of a vertex of the part to the assigned ones.
    fn fits(&self, vertex: usize, candidate: usize) -> bool {
        let is_free = |(other, image): (usize, &Option<usize>)| match image {
            Some(image) => *image != candidate && (!self.is_in_order || (other < vertex) == (*image < candidate)),
            None => true,
        };
        let image = |end: usize| if end == vertex { Some(candidate) } else { self.assigned[end] };
        let has_edges = |(&(from, to), edges): (&(usize, usize), &Vec<usize>)| {
            let Some((from, to)) = image(from).zip(image(to)) else { return true };
            self.match_edges(edges, (from, to)).is_some()
        };
        let own_edges = self.part_edges.iter().filter(|((from, to), _)| *from == vertex || *to == vertex);
        self.assigned.iter().enumerate().all(is_free) && own_edges.into_iter().all(has_edges)
    }

    /// Returns an edge of the whole between these vertices for each of these edges of the part, or `None` if there are
    /// too few.
    fn match_edges(&self, edges: &[usize], ends: (usize, usize)) -> Option<Vec<usize>> {
        let mut left = self.whole_edges.get(&ordered_ends(self.whole, ends)).cloned().unwrap_or_default();
        let mut matched = Vec::new();
        for edge in edges {
            let label = &self.part.edges[*edge].2;
            let is_match = |other: &usize| !self.has_same_labels || self.whole.edges[*other].2 == *label;
            matched.push(left.remove(left.iter().position(is_match)?));
        }
        Some(matched)
    }

    /// Returns the vertices and edges of the whole that are assigned.
    fn marks(&self) -> Vec<bool> {
        let mut marks = vec![false; self.whole.vertices + self.whole.edges.len()];
        self.assigned.iter().flatten().for_each(|vertex| marks[*vertex] = true);
        for ((from, to), edges) in &self.part_edges {
            let Some(ends) = self.assigned[*from].zip(self.assigned[*to]) else { continue };
            let matched = self.match_edges(edges, ends).unwrap_or_default();
            matched.into_iter().for_each(|edge| marks[self.whole.vertices + edge] = true);
        }
        marks
    }
}

fn ordered_ends(graph: &GraphFigure, (from, to): (usize, usize)) -> (usize, usize) {
    if graph.is_directed { (from, to) } else { (from.min(to), from.max(to)) }
}

fn edges_by_ends(graph: &GraphFigure) -> EdgesByEnds {
    let mut edges = EdgesByEnds::new();
    for (place, (from, to, _)) in graph.edges.iter().enumerate() {
        edges.entry(ordered_ends(graph, (*from, *to))).or_default().push(place);
    }
    edges
}

/// Returns the vertices that have edges, so that each but the first of a component has an edge to an earlier one.
fn connected_order(graph: &GraphFigure) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    for start in 0..graph.vertices {
        let mut next = if order.contains(&start) { Vec::new() } else { vec![start] };
        while let Some(vertex) = next.pop() {
            let is_end = |(from, to, _): &&(usize, usize, String)| *from == vertex || *to == vertex;
            let others: Vec<usize> = graph.edges.iter().filter(is_end).map(|edge| edge.0 + edge.1 - vertex).collect();
            if !others.is_empty() && !order.contains(&vertex) {
                order.push(vertex);
                next.extend(others.into_iter().rev().filter(|other| !order.contains(other)));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(vertices: usize, is_directed: bool, edges: &[(usize, usize, &str)]) -> GraphFigure {
        let edges = edges.iter().map(|(from, to, label)| (from - 1, to - 1, (*label).to_owned())).collect();
        GraphFigure { first: 1, vertices, edges, is_directed }
    }

    /// Returns the numbers of the marked vertices, from 1, and the marked edges.
    fn marked(whole: &GraphFigure, part: &GraphFigure) -> (Vec<usize>, Vec<(usize, usize)>) {
        let marks = contained_graph(whole, part);
        let is_marked = |at: usize| marks.get(at).copied().unwrap_or(false);
        let vertices = (0..whole.vertices).filter(|vertex| is_marked(*vertex)).map(|vertex| vertex + 1).collect();
        let edges = whole.edges.iter().enumerate().filter(|(edge, _)| is_marked(whole.vertices + edge));
        (vertices, edges.map(|(_, (from, to, _))| (from + 1, to + 1)).collect())
    }

    #[test]
    fn part_with_the_same_weights_is_preferred() {
        let whole = graph(5, false, &[(1, 2, "7"), (2, 3, "1"), (4, 5, "9"), (3, 4, "7")]);
        let part = graph(3, false, &[(1, 2, "9"), (3, 1, "7")]);
        assert_eq!(marked(&whole, &part), (vec![3, 4, 5], vec![(4, 5), (3, 4)]));
        let other_weights = graph(3, false, &[(1, 2, "5"), (2, 3, "5")]);
        assert_eq!(marked(&whole, &other_weights), (vec![1, 2, 3], vec![(1, 2), (2, 3)]));
    }

    #[test]
    fn directions_and_parallel_edges_count() {
        let whole = graph(3, true, &[(2, 1, ""), (1, 2, ""), (2, 3, ""), (2, 3, "")]);
        assert_eq!(marked(&whole, &graph(2, true, &[(1, 2, ""), (1, 2, "")])), (vec![2, 3], vec![(2, 3), (2, 3)]));
        assert_eq!(marked(&whole, &graph(2, true, &[(1, 1, "")])), (vec![], vec![]), "there is no loop");
        assert_eq!(marked(&whole, &graph(2, true, &[])), (vec![], vec![]), "there is nothing to be found");
    }

    #[test]
    fn search_ends_where_there_is_too_much_to_try() {
        let complete = |n: usize| {
            let edges: Vec<_> = (1..=n).flat_map(|a| (1..a).map(move |b| (a, b, ""))).collect();
            graph(n, false, &edges)
        };
        let mut whole = complete(16);
        whole.edges.retain(|(from, to, _)| (from + to) % 7 != 0);
        assert_eq!(contained_graph(&whole, &complete(15)), Vec::<bool>::new());
    }
}
