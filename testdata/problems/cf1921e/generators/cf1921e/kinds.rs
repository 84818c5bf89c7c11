//! Two chips move towards each other: one has to meet the other, which tries to escape.
//!
//! With `m` moves left to the pursuer, an escape towards a wall fails if the pursuer, who follows, reaches the wall in
//! time: if its column plus `m` reaches the width. Uniformly random boards are so wide that no chip is ever caught. So
//! here the width is computed from the pursuer's column, plus or minus one step.

use super::draws::{log_range, size};
use super::rebut;

const MAX_ROWS: i64 = 1_000_000;
const MAX_COLS: i64 = 1_000_000_000;

/// The smallest and the largest number of rows and of columns; there can be more columns, as the problem
/// allows more.
pub type SideRange = (i64, i64);

/// The numbers that the problem allows.
pub const ALL_SIDES: SideRange = (1, MAX_ROWS);

/// A name and a function that draws a case.
pub type Kind = (&'static str, fn(SideRange) -> ChipGame);

/// All kinds of cases.
pub const KINDS: [Kind; 10] = [
    ("wall-race", draw_wall_race),
    ("same-column", draw_same_column),
    ("near-columns", draw_near_columns),
    ("adjacent-rows", draw_adjacent_rows),
    ("passed", draw_passed),
    ("one-column", draw_one_column),
    ("two-columns", draw_two_columns),
    ("small-or-huge", draw_small_or_huge),
    ("wrapping-cells", draw_wrapping_cells),
    ("anywhere", draw_anywhere),
];

/// A case: the board, Alice's chip and Bob's chip, all counted from one.
pub struct ChipGame {
    pub rows: i64,
    cols: i64,
    alice: (i64, i64),
    bob: (i64, i64),
}

impl ChipGame {
    /// Clamps the coordinates beyond a limit. If both chips are on one cell, the only other invalid case, one is moved.
    fn into_valid(mut self) -> ChipGame {
        self.rows = self.rows.clamp(1, MAX_ROWS);
        self.cols = self.cols.clamp(1, MAX_COLS);
        let inside = |(row, col): (i64, i64)| (row.clamp(1, self.rows), col.clamp(1, self.cols));
        (self.alice, self.bob) = (inside(self.alice), inside(self.bob));
        if self.alice == self.bob {
            self.bob.0 += if self.alice.0 < self.rows { 1 } else { -1 };
        }
        if self.bob.0 == 0 {
            // A board with a single row gets a second one.
            (self.rows, self.bob.0) = (2, 2);
        }
        self
    }

    /// Returns the case with this game.
    pub fn to_case(&self) -> String {
        let ((xa, ya), (xb, yb)) = (self.alice, self.bob);
        format!("{} {} {xa} {ya} {xb} {yb}\n", self.rows, self.cols)
    }
}

/// Draws a number of rows from `least` to `most`.
fn draw_rows(least: i64, most: i64, range: SideRange) -> i64 {
    size(range.0.max(least), range.1.clamp(least, most))
}

/// Draws a number of columns from `least` to `most`.
fn draw_columns(least: i64, most: i64, range: SideRange) -> i64 {
    size(range.0.max(least), (range.1 * range.1.isqrt()).clamp(least, most))
}

/// Draws the rows of a board on which Bob is at least `least` rows below Alice. Returns the number of rows, her row and
/// his row.
fn draw_facing_rows(range: SideRange, least: i64) -> (i64, i64, i64) {
    let apart = draw_rows(least, MAX_ROWS - 1, range);
    let spare = MAX_ROWS - 1 - apart;
    let above = log_range(0, spare.min(3));
    let below = log_range(0, (spare - above).min(3));
    (above + 1 + apart + below, above + 1, above + 1 + apart)
}

/// Draws a column of a board of this width, often at a wall.
fn draw_column(cols: i64) -> i64 {
    match rebut::weighted(&[2, 1, 1]) {
        0 => rebut::next(1, cols),
        1 => 1,
        _ => cols,
    }
}

/// One step decides the race to a wall, for each parity and each side.
fn draw_wall_race(range: SideRange) -> ChipGame {
    // If the chips are closer, the result does not depend on the wall.
    let (rows, xa, xb) = draw_facing_rows(range, 3);
    let apart = xb - xa;
    // The pursuer is the player who moves when the chips are in neighbouring rows: Alice if the distance is odd.
    let alice_pursues = apart % 2 == 1;
    let moves = (apart + 1) / 2;
    let pursuer = draw_columns(1, MAX_COLS - moves - 1, range);
    let cols = pursuer + moves + rebut::next(-1, 1);
    // A runner in a neighbouring column cannot escape. Otherwise the runner starts near the pursuer, or near the wall.
    let lead = log_range(2.min(cols - pursuer), cols - pursuer);
    let runner = if rebut::chance(1, 2) { pursuer + lead } else { cols - lead + 2.min(lead) };
    let mirrored = rebut::chance(1, 2);
    let place = |col: i64| if mirrored { cols + 1 - col } else { col };
    let (ya, yb) = if alice_pursues { (pursuer, runner) } else { (runner, pursuer) };
    ChipGame { rows, cols, alice: (xa, place(ya)), bob: (xb, place(yb)) }.into_valid()
}

/// Both chips in one column.
fn draw_same_column(range: SideRange) -> ChipGame {
    let (rows, xa, xb) = draw_facing_rows(range, 1);
    let cols = draw_columns(1, MAX_COLS, range);
    let col = draw_column(cols);
    ChipGame { rows, cols, alice: (xa, col), bob: (xb, col) }.into_valid()
}

/// Columns at most three apart, often at a wall.
fn draw_near_columns(range: SideRange) -> ChipGame {
    let (rows, xa, xb) = draw_facing_rows(range, 1);
    let cols = draw_columns(1, MAX_COLS, range);
    let ya = draw_column(cols);
    let yb = ya + rebut::next(-3, 3);
    ChipGame { rows, cols, alice: (xa, ya), bob: (xb, yb) }.into_valid()
}

/// Rows one or two apart.
fn draw_adjacent_rows(range: SideRange) -> ChipGame {
    let rows = draw_rows(2, MAX_ROWS, range);
    let cols = draw_columns(1, MAX_COLS, range);
    let (xa, ya) = (rebut::next(1, rows - 1), draw_column(cols));
    let (xb, yb) = (xa + rebut::next(1, 2), ya + rebut::next(-2, 2));
    ChipGame { rows, cols, alice: (xa, ya), bob: (xb, yb) }.into_valid()
}

/// The chips have already passed each other.
fn draw_passed(range: SideRange) -> ChipGame {
    let rows = draw_rows(1, MAX_ROWS, range);
    // Two chips on one row need two columns.
    let cols = draw_columns(2, MAX_COLS, range);
    let xb = rebut::next(1, rows);
    let xa = (xb + log_range(0, rows - xb)).min(rows);
    let ya = draw_column(cols);
    let yb = if ya == cols { ya - 1 } else { ya + 1 };
    ChipGame { rows, cols, alice: (xa, ya), bob: (xb, yb) }.into_valid()
}

/// A board of one column.
fn draw_one_column(range: SideRange) -> ChipGame {
    draw_narrow(range, 1)
}

/// A board of two columns.
fn draw_two_columns(range: SideRange) -> ChipGame {
    draw_narrow(range, 2)
}

/// Chips anywhere on a board with `cols` columns, mostly moving towards each other.
fn draw_narrow(range: SideRange, cols: i64) -> ChipGame {
    let (rows, xa, xb) = draw_facing_rows(range, 1);
    let (xa, xb) = if rebut::chance(1, 4) { (xb, xa) } else { (xa, xb) };
    ChipGame { rows, cols, alice: (xa, rebut::next(1, cols)), bob: (xb, rebut::next(1, cols)) }.into_valid()
}

/// Every coordinate close to one or close to the size.
fn draw_small_or_huge(range: SideRange) -> ChipGame {
    let rows = draw_rows(2, MAX_ROWS, range);
    let cols = draw_columns(1, MAX_COLS, range);
    let end = |most: i64| if rebut::chance(1, 2) { most - rebut::next(0, 3) } else { 1 + rebut::next(0, 3) };
    let (alice, bob) = ((end(rows), end(cols)), (end(rows), end(cols)));
    ChipGame { rows, cols, alice, bob }.into_valid()
}

/// Chips on cells whose numbers, counted row by row, are about 2^32 apart.
fn draw_wrapping_cells(range: SideRange) -> ChipGame {
    const WRAP_CELLS: i64 = 1 << 32;
    // With fewer than five rows no board is wide enough.
    let (rows, xa, xb) = draw_facing_rows(range, 5);
    // The difference of the cell numbers is about 2^32 after a few moves, some of them to the side.
    let apart = (xb - xa - log_range(0, 3)).max(5);
    let cols = WRAP_CELLS / apart;
    let aside = WRAP_CELLS - apart * cols + rebut::next(-2, 2);
    let ya = 1 + log_range(0, (cols - 1 - aside).max(0));
    ChipGame { rows, cols, alice: (xa, ya), bob: (xb, ya + aside) }.into_valid()
}

/// Chips anywhere on a board that is not wider than high.
fn draw_anywhere(range: SideRange) -> ChipGame {
    let rows = draw_rows(2, MAX_ROWS, range);
    // At most as wide as high, otherwise both chips are always far from the walls.
    let cols = rebut::next(1, rows);
    let (alice, bob) = ((rebut::next(1, rows), rebut::next(1, cols)), (rebut::next(1, rows), rebut::next(1, cols)));
    ChipGame { rows, cols, alice, bob }.into_valid()
}
