//! Which elements of an input shrinking kept.

use super::graph_part::contained_graph;
use super::{Figure, FigureContent};

/// Marks the elements of each figure that are also in the figure of the same place in another input, in the same order:
/// numbers, characters, points, corners, intervals and segments by a longest common subsequence, cells if one board
/// contains the other, vertices and edges if one graph is a part of the other. Figures without a counterpart are not
/// marked.
pub fn mark_kept(figures: &mut [Figure], shrunk: &[Figure]) {
    for figure in figures {
        let Some(other) = shrunk.iter().find(|other| other.title == figure.title) else { continue };
        figure.kept = match (&figure.content, &other.content) {
            (FigureContent::Bars(all), FigureContent::Bars(kept)) => common_elements(all, kept),
            (FigureContent::Text(all), FigureContent::Text(kept)) => common_elements(all, kept),
            (FigureContent::Points(all), FigureContent::Points(kept))
            | (FigureContent::Polygon(all), FigureContent::Polygon(kept)) => common_elements(all, kept),
            (FigureContent::Intervals(all), FigureContent::Intervals(kept)) => common_elements(all, kept),
            (FigureContent::Segments(all), FigureContent::Segments(kept)) => common_elements(all, kept),
            (FigureContent::Board(all), FigureContent::Board(kept)) => contained_cells(all, kept),
            (FigureContent::HeatMap(all), FigureContent::HeatMap(kept)) => contained_cells(all, kept),
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
