//! A board whose squares have exactly two drawn sides each.
//!
//! Seen from the squares, an undrawn side is a door: to the neighbour, or out of the board. Two doors a square make
//! every board a set of chains, which begin and end outside, and loops.

use crate::choices::Choices;

/// Row and column of a square, or of a dot, counted from zero.
pub(super) type Cell = (usize, usize);

/// The lengths of everything on a board.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) chains: Vec<usize>,
    pub(super) loops: Vec<usize>,
}

/// Which sides are open, that is, not drawn. A new board has none.
#[derive(Debug, Clone)]
pub(super) struct Board {
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// The sides above and below squares: `rows + 1` lines of `cols`.
    level: Vec<bool>,
    /// The sides left and right of squares: `rows` lines of `cols + 1`.
    upright: Vec<bool>,
}

impl Board {
    pub(super) fn new(rows: usize, cols: usize) -> Board {
        Board { rows, cols, level: vec![false; (rows + 1) * cols], upright: vec![false; rows * (cols + 1)] }
    }

    /// Each dot gets one of three colours, never that of a neighbour. Along a side the colour goes up or down by one
    /// (of three), and around a square as often up as down: so the sides that go up, clockwise around every other
    /// square and the other way round between them, are two of each square. Every board comes from some colouring.
    pub(super) fn coloured(rows: usize, cols: usize, mut draw: impl FnMut(&[u8], u8) -> u8) -> Board {
        let width = cols + 1;
        let mut colours: Vec<u8> = Vec::new();
        for at in 0..(rows + 1) * width {
            let above = at.checked_sub(width).map(|above| colours[above]);
            let left = if at % width > 0 { colours.last().copied() } else { None };
            let free: Vec<u8> = (0..3).filter(|colour| Some(*colour) != above && Some(*colour) != left).collect();
            let corner = if left.is_some() && above.is_some() { colours[at - width - 1] } else { 0 };
            colours.push(draw(&free, corner));
        }
        let mut board = Board::new(rows, cols);
        let up = |from: u8, to: u8| (to + 3 - from) % 3 == 1;
        for r in 0..=rows {
            for k in 0..cols {
                board.level[r * cols + k] =
                    up(colours[r * width + k], colours[r * width + k + 1]) == ((r + k) % 2 == 0);
            }
        }
        for r in 0..rows {
            for k in 0..=cols {
                board.upright[r * (cols + 1) + k] =
                    up(colours[r * width + k], colours[(r + 1) * width + k]) == ((r + k) % 2 == 1);
            }
        }
        board
    }

    /// The side between two neighbouring squares.
    fn between(&mut self, a: Cell, b: Cell) -> &mut bool {
        let (r, k) = (a.0.max(b.0), a.1.max(b.1));
        if a.0 == b.0 { &mut self.upright[r * (self.cols + 1) + k] } else { &mut self.level[r * self.cols + k] }
    }

    /// Opens one more side of the square that lies on the border, any of those that are there.
    fn open_outwards(&mut self, c: &mut Choices, (r, k): Cell) {
        let (rows, cols) = (self.rows, self.cols);
        let sides = [
            (r == 0).then_some((true, k)),
            (r + 1 == rows).then_some((true, rows * cols + k)),
            (k == 0).then_some((false, r * (cols + 1))),
            (k + 1 == cols).then_some((false, r * (cols + 1) + cols)),
        ];
        let open = |(level, at): (bool, usize)| if level { self.level[at] } else { self.upright[at] };
        let closed: Vec<(bool, usize)> = sides.into_iter().flatten().filter(|side| !open(*side)).collect();
        match c.pick(&closed) {
            Some((true, at)) => self.level[*at] = true,
            Some((false, at)) => self.upright[*at] = true,
            None => {}
        }
    }

    /// A chain through these squares; the first and the last lie on the border.
    pub(super) fn add_chain(&mut self, c: &mut Choices, path: &[Cell]) {
        path.windows(2).for_each(|pair| *self.between(pair[0], pair[1]) = true);
        for end in path.first().into_iter().chain(path.last()) {
            self.open_outwards(c, *end);
        }
    }

    /// A loop through these squares, of which the last is beside the first.
    pub(super) fn add_loop(&mut self, path: &[Cell]) {
        path.windows(2).for_each(|pair| *self.between(pair[0], pair[1]) = true);
        if let (Some(first), Some(last)) = (path.first(), path.last()) {
            *self.between(*first, *last) = true;
        }
    }

    /// Turns the sides at a dot inside the board by a quarter, if the two drawn ones are opposite to each other. No
    /// square notices, but two parts become one, or one two, or two are joined differently.
    pub(super) fn turn(&mut self, (r, k): Cell) {
        let (north, south) = ((r - 1) * (self.cols + 1) + k, r * (self.cols + 1) + k);
        let (west, east) = (r * self.cols + k - 1, r * self.cols + k);
        let along = self.upright[north] == self.upright[south] && self.level[west] == self.level[east];
        if along && self.upright[north] != self.level[west] {
            let (upright, level) = (self.level[west], self.upright[north]);
            (self.upright[north], self.upright[south]) = (upright, upright);
            (self.level[west], self.level[east]) = (level, level);
        }
    }

    /// The squares behind the open sides, `None` standing for outside.
    fn behind(&self, (r, k): Cell) -> impl Iterator<Item = Option<Cell>> {
        let (rows, cols) = (self.rows, self.cols);
        [
            (self.level[r * cols + k], r.checked_sub(1).map(|r| (r, k))),
            (self.level[(r + 1) * cols + k], (r + 1 < rows).then_some((r + 1, k))),
            (self.upright[r * (cols + 1) + k], k.checked_sub(1).map(|k| (r, k))),
            (self.upright[r * (cols + 1) + k + 1], (k + 1 < cols).then_some((r, k + 1))),
        ]
        .into_iter()
        .filter_map(|(open, beside)| open.then_some(beside))
    }

    /// The chains and the loops.
    pub(super) fn parts(&self) -> Parts {
        let mut parts = Parts::default();
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
                for beside in self.behind(cell) {
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

    /// The file with this board as its only case: the drawn edges, sometimes in disorder, of the board or of its
    /// mirror image along the diagonal.
    pub(super) fn print(&self, c: &mut Choices) -> String {
        let mirrored = c.chance(1, 3);
        let dot = |(r, k): Cell| if mirrored { (k, r) } else { (r, k) };
        let mut edges: Vec<(Cell, Cell)> = Vec::new();
        let across = (0..=self.rows).flat_map(|r| (0..self.cols).map(move |k| (r, k)));
        edges.extend(across.zip(&self.level).filter(|(_, open)| !**open).map(|((r, k), _)| ((r, k), (r, k + 1))));
        let down = (0..self.rows).flat_map(|r| (0..=self.cols).map(move |k| (r, k)));
        edges.extend(down.zip(&self.upright).filter(|(_, open)| !**open).map(|((r, k), _)| ((r, k), (r + 1, k))));
        for edge in &mut edges {
            *edge = (dot(edge.0), dot(edge.1));
        }
        edges.sort_unstable();
        if c.chance(1, 3) {
            c.shuffle(&mut edges);
            for edge in &mut edges {
                *edge = if c.chance(1, 2) { (edge.1, edge.0) } else { *edge };
            }
        }
        let (rows, cols) = dot((self.rows, self.cols));
        let mut text = format!("1\n{rows} {cols} {}\n", edges.len());
        text.extend(edges.iter().map(|((a, b), (x, y))| format!("{a} {b} {x} {y}\n")));
        text
    }
}
