//! Two chips move towards each other: one has to meet the other, which tries to escape.
//!
//! With `m` moves left to the pursuer, an escape towards a wall fails if the pursuer, who follows, reaches the wall in
//! time: if its column plus `m` reaches the width. Uniformly random boards are so wide that no chip is ever caught. So
//! here the width is computed from the pursuer's column, plus or minus one step.

use crate::choices::Choices;
use crate::sizes::draw_size;

const MAX_ROWS: i128 = 1_000_000;
const MAX_COLS: i128 = 1_000_000_000;

/// A case: the board, Alice's chip and Bob's chip, all counted from one.
struct ChipGame {
    rows: i128,
    cols: i128,
    alice: (i128, i128),
    bob: (i128, i128),
}

impl ChipGame {
    /// Returns the input file with this case. Coordinates beyond a limit are clamped. If both chips are on one cell,
    /// the only other invalid case, one is moved.
    fn into_input_file(mut self) -> String {
        self.rows = self.rows.clamp(1, MAX_ROWS);
        self.cols = self.cols.clamp(1, MAX_COLS);
        let inside = |(row, col): (i128, i128)| (row.clamp(1, self.rows), col.clamp(1, self.cols));
        let ((xa, ya), (mut xb, yb)) = (inside(self.alice), inside(self.bob));
        if (xa, ya) == (xb, yb) {
            xb = if xa < self.rows { xa + 1 } else { xa - 1 };
        }
        if xb == 0 {
            // A board with a single row gets a second one.
            (self.rows, xb) = (2, 2);
        }
        format!("1\n{} {} {xa} {ya} {xb} {yb}\n", self.rows, self.cols)
    }
}

/// Draws the rows of a board on which Bob is at least `least` rows below Alice. Returns the number of rows, her row and
/// his row.
fn draw_facing_rows(c: &mut Choices, growth: u32, least: i128) -> (i128, i128, i128) {
    let apart = draw_size(c, least, MAX_ROWS - 1, growth);
    let spare = MAX_ROWS - 1 - apart;
    let above = c.draw_log_range(0, spare.min(3));
    let below = c.draw_log_range(0, (spare - above).min(3));
    (above + 1 + apart + below, above + 1, above + 1 + apart)
}

/// Draws a column of a board of this width, often at a wall.
fn draw_column(c: &mut Choices, cols: i128) -> i128 {
    match c.draw_weighted(&[2, 1, 1]) {
        0 => c.draw_range(1, cols),
        1 => 1,
        _ => cols,
    }
}

pub(super) fn build_wall_race(c: &mut Choices, growth: u32) -> String {
    // If the chips are closer, the result does not depend on the wall.
    let (rows, xa, xb) = draw_facing_rows(c, growth, 3);
    let apart = xb - xa;
    // The pursuer is the player who moves when the chips are in neighbouring rows: Alice if the distance is odd.
    let alice_pursues = apart % 2 == 1;
    let moves = (apart + 1) / 2;
    let pursuer = draw_size(c, 1, MAX_COLS - moves - 1, growth);
    let cols = pursuer + moves + c.draw_range(-1, 1);
    // A runner in a neighbouring column cannot escape. Otherwise the runner starts near the pursuer, or near the wall.
    let lead = c.draw_log_range(2.min(cols - pursuer), cols - pursuer);
    let runner = if c.draw_chance(1, 2) { pursuer + lead } else { cols - lead + 2.min(lead) };
    let mirrored = c.draw_chance(1, 2);
    let place = |col: i128| if mirrored { cols + 1 - col } else { col };
    let (ya, yb) = if alice_pursues { (pursuer, runner) } else { (runner, pursuer) };
    ChipGame { rows, cols, alice: (xa, place(ya)), bob: (xb, place(yb)) }.into_input_file()
}

pub(super) fn build_same_column(c: &mut Choices, growth: u32) -> String {
    let (rows, xa, xb) = draw_facing_rows(c, growth, 1);
    let cols = draw_size(c, 1, MAX_COLS, growth);
    let col = draw_column(c, cols);
    ChipGame { rows, cols, alice: (xa, col), bob: (xb, col) }.into_input_file()
}

pub(super) fn build_near_columns(c: &mut Choices, growth: u32) -> String {
    let (rows, xa, xb) = draw_facing_rows(c, growth, 1);
    let cols = draw_size(c, 1, MAX_COLS, growth);
    let ya = draw_column(c, cols);
    let yb = ya + c.draw_range(-3, 3);
    ChipGame { rows, cols, alice: (xa, ya), bob: (xb, yb) }.into_input_file()
}

pub(super) fn build_adjacent_rows(c: &mut Choices, growth: u32) -> String {
    let rows = draw_size(c, 2, MAX_ROWS, growth);
    let cols = draw_size(c, 1, MAX_COLS, growth);
    let (xa, ya) = (c.draw_range(1, rows - 1), draw_column(c, cols));
    let (xb, yb) = (xa + c.draw_range(1, 2), ya + c.draw_range(-2, 2));
    ChipGame { rows, cols, alice: (xa, ya), bob: (xb, yb) }.into_input_file()
}

pub(super) fn build_passed(c: &mut Choices, growth: u32) -> String {
    let rows = draw_size(c, 1, MAX_ROWS, growth);
    // Two chips on one row need two columns.
    let cols = draw_size(c, 2, MAX_COLS, growth);
    let xb = c.draw_range(1, rows);
    let xa = (xb + c.draw_log_range(0, rows - xb)).min(rows);
    let ya = draw_column(c, cols);
    let yb = if ya == cols { ya - 1 } else { ya + 1 };
    ChipGame { rows, cols, alice: (xa, ya), bob: (xb, yb) }.into_input_file()
}

pub(super) fn build_one_column(c: &mut Choices, growth: u32) -> String {
    build_narrow(c, growth, 1)
}

pub(super) fn build_two_columns(c: &mut Choices, growth: u32) -> String {
    build_narrow(c, growth, 2)
}

/// Chips anywhere on a board with `cols` columns, mostly moving towards each other.
fn build_narrow(c: &mut Choices, growth: u32, cols: i128) -> String {
    let (rows, xa, xb) = draw_facing_rows(c, growth, 1);
    let (xa, xb) = if c.draw_chance(1, 4) { (xb, xa) } else { (xa, xb) };
    ChipGame { rows, cols, alice: (xa, c.draw_range(1, cols)), bob: (xb, c.draw_range(1, cols)) }.into_input_file()
}

pub(super) fn build_small_or_huge(c: &mut Choices, growth: u32) -> String {
    let rows = draw_size(c, 2, MAX_ROWS, growth);
    let cols = draw_size(c, 1, MAX_COLS, growth);
    let mut end = |most: i128| if c.draw_chance(1, 2) { most - c.draw_range(0, 3) } else { 1 + c.draw_range(0, 3) };
    let (alice, bob) = ((end(rows), end(cols)), (end(rows), end(cols)));
    ChipGame { rows, cols, alice, bob }.into_input_file()
}

pub(super) fn build_wrapping_cells(c: &mut Choices, growth: u32) -> String {
    const WRAP_CELLS: i128 = 1 << 32;
    // With fewer than five rows no board is wide enough.
    let (rows, xa, xb) = draw_facing_rows(c, growth, 5);
    // The difference of the cell numbers is about 2^32 after a few moves, some of them to the side.
    let apart = (xb - xa - c.draw_log_range(0, 3)).max(5);
    let cols = WRAP_CELLS / apart;
    let aside = WRAP_CELLS - apart * cols + c.draw_range(-2, 2);
    let ya = 1 + c.draw_log_range(0, (cols - 1 - aside).max(0));
    ChipGame { rows, cols, alice: (xa, ya), bob: (xb, ya + aside) }.into_input_file()
}

pub(super) fn build_anywhere(c: &mut Choices, growth: u32) -> String {
    let rows = draw_size(c, 2, MAX_ROWS, growth);
    // At most as wide as high, otherwise both chips are always far from the walls.
    let cols = c.draw_range(1, rows);
    let (alice, bob) = ((c.draw_range(1, rows), c.draw_range(1, cols)), (c.draw_range(1, rows), c.draw_range(1, cols)));
    ChipGame { rows, cols, alice, bob }.into_input_file()
}
