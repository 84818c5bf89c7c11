//! A board of squares with exactly two drawn sides each.
//!
//! For a square, an undrawn side is open: to the neighbour, or out of the board. With two open sides per square, every
//! board is a set of chains, which begin and end outside, and loops.

use super::draws::index;
use super::rebut;

/// Row and column of a square, or of a dot, counted from zero.
pub type DotCell = (usize, usize);

/// The lengths of the chains and loops on a board.
#[derive(Debug, Default)]
pub struct DotBoardParts {
    pub chains: Vec<usize>,
    pub loops: Vec<usize>,
}

/// The open sides, that is, those that are not drawn. A new board has none.
#[derive(Debug, Clone)]
pub struct DotBoard {
    pub rows: usize,
    pub cols: usize,
    /// The sides above and below squares: `rows + 1` lines of `cols`.
    horizontal_open: Vec<bool>,
    /// The sides left and right of squares: `rows` lines of `cols + 1`.
    vertical_open: Vec<bool>,
}

impl DotBoard {
    pub fn new(rows: usize, cols: usize) -> DotBoard {
        DotBoard {
            rows,
            cols,
            horizontal_open: vec![false; (rows + 1) * cols],
            vertical_open: vec![false; rows * (cols + 1)],
        }
    }

    /// Creates a board from a colouring of the dots with three colours, in which neighbours differ. Along a side the
    /// colour increases or decreases by one (modulo three), and around a square as often up as down. The open sides are
    /// those that go up, clockwise around every other square and counterclockwise around the rest, which are two of
    /// each square. Every board corresponds to a colouring.
    pub fn from_colouring(rows: usize, cols: usize, mut draw: impl FnMut(&[u8], u8) -> u8) -> DotBoard {
        let width = cols + 1;
        let mut colours: Vec<u8> = Vec::new();
        for at in 0..(rows + 1) * width {
            let above = at.checked_sub(width).map(|above| colours[above]);
            let left = if at % width > 0 { colours.last().copied() } else { None };
            let free: Vec<u8> = (0..3).filter(|colour| Some(*colour) != above && Some(*colour) != left).collect();
            let corner = if left.is_some() && above.is_some() { colours[at - width - 1] } else { 0 };
            colours.push(draw(&free, corner));
        }
        let mut board = DotBoard::new(rows, cols);
        let up = |from: u8, to: u8| (to + 3 - from) % 3 == 1;
        for r in 0..=rows {
            for k in 0..cols {
                board.horizontal_open[r * cols + k] =
                    up(colours[r * width + k], colours[r * width + k + 1]) == ((r + k) % 2 == 0);
            }
        }
        for r in 0..rows {
            for k in 0..=cols {
                board.vertical_open[r * (cols + 1) + k] =
                    up(colours[r * width + k], colours[(r + 1) * width + k]) == ((r + k) % 2 == 1);
            }
        }
        board
    }

    /// Returns the side between two neighbouring squares.
    fn side_between(&mut self, a: DotCell, b: DotCell) -> &mut bool {
        let (r, k) = (a.0.max(b.0), a.1.max(b.1));
        if a.0 == b.0 {
            &mut self.vertical_open[r * (self.cols + 1) + k]
        } else {
            &mut self.horizontal_open[r * self.cols + k]
        }
    }

    /// Opens a random closed side of a square that is on the border of the board.
    fn open_border_side(&mut self, (r, k): DotCell) {
        let (rows, cols) = (self.rows, self.cols);
        let sides = [
            (r == 0).then_some((true, k)),
            (r + 1 == rows).then_some((true, rows * cols + k)),
            (k == 0).then_some((false, r * (cols + 1))),
            (k + 1 == cols).then_some((false, r * (cols + 1) + cols)),
        ];
        let open = |(level, at): (bool, usize)| if level { self.horizontal_open[at] } else { self.vertical_open[at] };
        let closed: Vec<(bool, usize)> = sides.into_iter().flatten().filter(|side| !open(*side)).collect();
        match closed.get(index(closed.len())) {
            Some((true, at)) => self.horizontal_open[*at] = true,
            Some((false, at)) => self.vertical_open[*at] = true,
            None => {}
        }
    }

    /// Adds a chain through these squares; the first and the last are on the border.
    pub fn add_chain(&mut self, path: &[DotCell]) {
        path.windows(2).for_each(|pair| *self.side_between(pair[0], pair[1]) = true);
        for end in path.first().into_iter().chain(path.last()) {
            self.open_border_side(*end);
        }
    }

    /// Adds a loop through these squares; the last is next to the first.
    pub fn add_loop(&mut self, path: &[DotCell]) {
        path.windows(2).for_each(|pair| *self.side_between(pair[0], pair[1]) = true);
        if let (Some(first), Some(last)) = (path.first(), path.last()) {
            *self.side_between(*first, *last) = true;
        }
    }

    /// Rotates the sides at an inner dot by a quarter turn, if the two drawn ones are opposite. Each square keeps its
    /// number of open sides, but two parts become one, one becomes two, or two are connected differently.
    pub fn rotate_dot(&mut self, (r, k): DotCell) {
        let (north, south) = ((r - 1) * (self.cols + 1) + k, r * (self.cols + 1) + k);
        let (west, east) = (r * self.cols + k - 1, r * self.cols + k);
        let along = self.vertical_open[north] == self.vertical_open[south]
            && self.horizontal_open[west] == self.horizontal_open[east];
        if along && self.vertical_open[north] != self.horizontal_open[west] {
            let (upright, level) = (self.horizontal_open[west], self.vertical_open[north]);
            (self.vertical_open[north], self.vertical_open[south]) = (upright, upright);
            (self.horizontal_open[west], self.horizontal_open[east]) = (level, level);
        }
    }

    /// Returns the squares behind the open sides, with `None` for the outside.
    fn squares_behind(&self, (r, k): DotCell) -> impl Iterator<Item = Option<DotCell>> {
        let (rows, cols) = (self.rows, self.cols);
        [
            (self.horizontal_open[r * cols + k], r.checked_sub(1).map(|r| (r, k))),
            (self.horizontal_open[(r + 1) * cols + k], (r + 1 < rows).then_some((r + 1, k))),
            (self.vertical_open[r * (cols + 1) + k], k.checked_sub(1).map(|k| (r, k))),
            (self.vertical_open[r * (cols + 1) + k + 1], (k + 1 < cols).then_some((r, k + 1))),
        ]
        .into_iter()
        .filter_map(|(open, beside)| open.then_some(beside))
    }

    /// Returns the number of squares.
    pub fn squares(&self) -> usize {
        self.rows * self.cols
    }

    /// Returns the lengths of the chains and the loops.
    pub fn collect_parts(&self) -> DotBoardParts {
        let mut parts = DotBoardParts::default();
        let mut seen = vec![false; self.rows * self.cols];
        for start in 0..seen.len() {
            if seen[start] {
                continue;
            }
            seen[start] = true;
            let (mut length, mut ends) = (0, 0);
            let mut waiting = vec![(start / self.cols, start % self.cols)];
            while let Some(cell) = waiting.pop() {
                length += 1;
                for beside in self.squares_behind(cell) {
                    let Some((r, k)) = beside else {
                        ends += 1;
                        continue;
                    };
                    if !seen[r * self.cols + k] {
                        seen[r * self.cols + k] = true;
                        waiting.push((r, k));
                    }
                }
            }
            if ends > 0 { parts.chains.push(length) } else { parts.loops.push(length) }
        }
        parts
    }

    /// Returns the case with this board: the drawn edges, sometimes shuffled, of the board or of
    /// its mirror image along the diagonal.
    pub fn to_case(&self) -> String {
        let mirrored = rebut::chance(1, 3);
        let dot = |(r, k): DotCell| if mirrored { (k, r) } else { (r, k) };
        let mut edges: Vec<(DotCell, DotCell)> = Vec::new();
        let across = (0..=self.rows).flat_map(|r| (0..self.cols).map(move |k| (r, k)));
        edges.extend(
            across.zip(&self.horizontal_open).filter(|(_, open)| !**open).map(|((r, k), _)| ((r, k), (r, k + 1))),
        );
        let down = (0..self.rows).flat_map(|r| (0..=self.cols).map(move |k| (r, k)));
        edges.extend(down.zip(&self.vertical_open).filter(|(_, open)| !**open).map(|((r, k), _)| ((r, k), (r + 1, k))));
        for edge in &mut edges {
            *edge = (dot(edge.0), dot(edge.1));
        }
        edges.sort_unstable();
        if rebut::chance(1, 3) {
            rebut::shuffle(&mut edges);
            for edge in &mut edges {
                *edge = if rebut::chance(1, 2) { (edge.1, edge.0) } else { *edge };
            }
        }
        let (rows, cols) = dot((self.rows, self.cols));
        let mut text = format!("{rows} {cols} {}\n", edges.len());
        text.extend(edges.iter().map(|((a, b), (x, y))| format!("{a} {b} {x} {y}\n")));
        text
    }
}
