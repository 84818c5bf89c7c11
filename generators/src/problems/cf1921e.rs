//! Two chips run towards each other, one wants to meet and one wants to escape.
//!
//! With `m` moves left to the pursuer, an escape towards a wall is caught if the pursuer, who runs there too, reaches
//! the wall in time: his column plus `m` against the width. Boards drawn at random are so wide that nobody is ever
//! caught. So the width is built from the pursuer's column here, with one step more or less.

use crate::choices::Choices;
use crate::sizes::size;

const MOST_ROWS: i128 = 1_000_000;
const MOST_COLS: i128 = 1_000_000_000;

/// One case: the board, Alice's chip and Bob's chip, all counted from one.
struct Game {
    rows: i128,
    cols: i128,
    alice: (i128, i128),
    bob: (i128, i128),
}

impl Game {
    /// The file with this case. A drawing that went over a limit is moved inside; both chips on one cell, the only
    /// other thing forbidden, are moved apart.
    fn print(mut self) -> String {
        self.rows = self.rows.clamp(1, MOST_ROWS);
        self.cols = self.cols.clamp(1, MOST_COLS);
        let inside = |(row, col): (i128, i128)| (row.clamp(1, self.rows), col.clamp(1, self.cols));
        let ((xa, ya), (mut xb, yb)) = (inside(self.alice), inside(self.bob));
        if (xa, ya) == (xb, yb) {
            xb = if xa < self.rows { xa + 1 } else { xa - 1 };
        }
        if xb == 0 {
            // A single row: the two stand side by side, or the board gets a second one.
            (self.rows, xb) = (2, 2);
        }
        format!("1\n{} {} {xa} {ya} {xb} {yb}\n", self.rows, self.cols)
    }
}

/// The rows of a board in which Bob stands at least so many rows below Alice: the number of rows, her row, his row.
fn facing_rows(c: &mut Choices, growth: u32, least: i128) -> (i128, i128, i128) {
    let apart = size(c, least, MOST_ROWS - 1, growth);
    let spare = MOST_ROWS - 1 - apart;
    let above = c.log_range(0, spare.min(3));
    let below = c.log_range(0, (spare - above).min(3));
    (above + 1 + apart + below, above + 1, above + 1 + apart)
}

/// A column of a board this wide, often at a wall.
fn column(c: &mut Choices, cols: i128) -> i128 {
    match c.weighted(&[2, 1, 1]) {
        0 => c.range(1, cols),
        1 => 1,
        _ => cols,
    }
}

pub(super) fn wall_race(c: &mut Choices, growth: u32) -> String {
    // Closer than this, a step decides before the wall does.
    let (rows, xa, xb) = facing_rows(c, growth, 3);
    let apart = xb - xa;
    // Whoever moves when the chips are in neighbouring rows is the pursuer: Alice if the distance is odd.
    let alice_pursues = apart % 2 == 1;
    let moves = (apart + 1) / 2;
    let pursuer = size(c, 1, MOST_COLS - moves - 1, growth);
    let cols = pursuer + moves + c.range(-1, 1);
    // A runner in a neighbouring column is as good as caught. Otherwise he starts near the pursuer, or near the wall.
    let lead = c.log_range(2.min(cols - pursuer), cols - pursuer);
    let runner = if c.chance(1, 2) { pursuer + lead } else { cols - lead + 2.min(lead) };
    let mirrored = c.chance(1, 2);
    let place = |col: i128| if mirrored { cols + 1 - col } else { col };
    let (ya, yb) = if alice_pursues { (pursuer, runner) } else { (runner, pursuer) };
    Game { rows, cols, alice: (xa, place(ya)), bob: (xb, place(yb)) }.print()
}

pub(super) fn same_column(c: &mut Choices, growth: u32) -> String {
    let (rows, xa, xb) = facing_rows(c, growth, 1);
    let cols = size(c, 1, MOST_COLS, growth);
    let col = column(c, cols);
    Game { rows, cols, alice: (xa, col), bob: (xb, col) }.print()
}

pub(super) fn near_columns(c: &mut Choices, growth: u32) -> String {
    let (rows, xa, xb) = facing_rows(c, growth, 1);
    let cols = size(c, 1, MOST_COLS, growth);
    let ya = column(c, cols);
    let yb = ya + c.range(-3, 3);
    Game { rows, cols, alice: (xa, ya), bob: (xb, yb) }.print()
}

pub(super) fn adjacent_rows(c: &mut Choices, growth: u32) -> String {
    let rows = size(c, 2, MOST_ROWS, growth);
    let cols = size(c, 1, MOST_COLS, growth);
    let (xa, ya) = (c.range(1, rows - 1), column(c, cols));
    let (xb, yb) = (xa + c.range(1, 2), ya + c.range(-2, 2));
    Game { rows, cols, alice: (xa, ya), bob: (xb, yb) }.print()
}

pub(super) fn passed(c: &mut Choices, growth: u32) -> String {
    let rows = size(c, 1, MOST_ROWS, growth);
    // On one row they need two columns to stand apart.
    let cols = size(c, 2, MOST_COLS, growth);
    let xb = c.range(1, rows);
    let xa = (xb + c.log_range(0, rows - xb)).min(rows);
    let ya = column(c, cols);
    let yb = if ya == cols { ya - 1 } else { ya + 1 };
    Game { rows, cols, alice: (xa, ya), bob: (xb, yb) }.print()
}

pub(super) fn one_column(c: &mut Choices, growth: u32) -> String {
    narrow(c, growth, 1)
}

pub(super) fn two_columns(c: &mut Choices, growth: u32) -> String {
    narrow(c, growth, 2)
}

/// The chips anywhere on a board with `cols` columns, mostly facing each other.
fn narrow(c: &mut Choices, growth: u32, cols: i128) -> String {
    let (rows, xa, xb) = facing_rows(c, growth, 1);
    let (xa, xb) = if c.chance(1, 4) { (xb, xa) } else { (xa, xb) };
    Game { rows, cols, alice: (xa, c.range(1, cols)), bob: (xb, c.range(1, cols)) }.print()
}

pub(super) fn small_or_huge(c: &mut Choices, growth: u32) -> String {
    let rows = size(c, 2, MOST_ROWS, growth);
    let cols = size(c, 1, MOST_COLS, growth);
    let mut end = |most: i128| if c.chance(1, 2) { most - c.range(0, 3) } else { 1 + c.range(0, 3) };
    let (alice, bob) = ((end(rows), end(cols)), (end(rows), end(cols)));
    Game { rows, cols, alice, bob }.print()
}

pub(super) fn wrapping_cells(c: &mut Choices, growth: u32) -> String {
    const WRAP: i128 = 1 << 32;
    // Below five rows no board is wide enough.
    let (rows, xa, xb) = facing_rows(c, growth, 5);
    // After so many moves they may be just so far apart; some of the moves are to the side as well.
    let apart = (xb - xa - c.log_range(0, 3)).max(5);
    let cols = WRAP / apart;
    let aside = WRAP - apart * cols + c.range(-2, 2);
    let ya = 1 + c.log_range(0, (cols - 1 - aside).max(0));
    Game { rows, cols, alice: (xa, ya), bob: (xb, ya + aside) }.print()
}

pub(super) fn anywhere(c: &mut Choices, growth: u32) -> String {
    let rows = size(c, 2, MOST_ROWS, growth);
    // About as wide as high, or both are never close to a wall.
    let cols = c.range(1, rows);
    let (alice, bob) = ((c.range(1, rows), c.range(1, cols)), (c.range(1, rows), c.range(1, cols)));
    Game { rows, cols, alice, bob }.print()
}
