//! Maps on which monsters live, and how their rows and columns lie to each other.
//!
//! A monster needs a cross of nine open cells, and a map drawn at random holds hardly any. So crosses are planted here,
//! or rocks are thrown onto an open map. What tells wrong programs apart is how the crosses share rows and columns:
//! in two parts of a map that lava has separated, a row is two rows.

use crate::choices::Choices;
use crate::sizes::size;

const MOST_SIDE: i128 = 20;
/// The length of an arm that a monster needs.
const ARM: usize = 2;
/// The least side of a map with a monster.
const LEAST_SIDE: i128 = 2 * ARM as i128 + 1;

/// Row and column, counted from zero.
type Cell = (usize, usize);

/// One map; cells are open or rock.
struct Map {
    rows: usize,
    cols: usize,
    open: Vec<bool>,
}

impl Map {
    fn of(rows: usize, cols: usize, open: bool) -> Map {
        Map { rows, cols, open: vec![open; rows * cols] }
    }

    /// Of any size that has room for a monster, all open or all rock.
    fn draw(c: &mut Choices, growth: u32, open: bool) -> Map {
        let rows = size(c, LEAST_SIDE, MOST_SIDE, growth) as usize;
        let cols = size(c, LEAST_SIDE, MOST_SIDE, growth) as usize;
        Map::of(rows, cols, open)
    }

    fn set(&mut self, (row, col): Cell, open: bool) {
        self.open[row * self.cols + col] = open;
    }

    /// Opens a cell and arms of this length around it, as far as the map goes.
    fn cross(&mut self, (row, col): Cell, arm: usize) {
        for r in row.saturating_sub(arm)..(row + arm + 1).min(self.rows) {
            self.set((r, col), true);
        }
        for c in col.saturating_sub(arm)..(col + arm + 1).min(self.cols) {
            self.set((row, c), true);
        }
    }

    /// Rows, or columns, in which a monster can live, on a side of this length.
    fn room(side: usize) -> Vec<usize> {
        (ARM..side - ARM).collect()
    }

    /// A cell on which a monster can live.
    fn place(&self, c: &mut Choices) -> Cell {
        (ARM + c.index(self.rows - 2 * ARM), ARM + c.index(self.cols - 2 * ARM))
    }

    /// Rocks on so many random cells, some of them on the same.
    fn throw_rocks(&mut self, c: &mut Choices, rocks: usize) {
        for _ in 0..rocks {
            let cell = c.index(self.open.len());
            self.open[cell] = false;
        }
    }

    /// The file with this map as its only case.
    fn print(&self) -> String {
        let mut text = format!("1\n{} {}\n", self.rows, self.cols);
        for row in self.open.chunks(self.cols) {
            text.extend(row.iter().map(|open| if *open { '^' } else { '#' }));
            text.push('\n');
        }
        text
    }
}

/// Some of `items`, in random order: at least one, few or many.
fn some(c: &mut Choices, mut items: Vec<usize>, most: usize) -> Vec<usize> {
    c.shuffle(&mut items);
    items.truncate(1 + c.index(items.len().min(most)));
    items
}

pub(super) fn open(c: &mut Choices, growth: u32) -> String {
    Map::draw(c, growth, true).print()
}

pub(super) fn few_rocks(c: &mut Choices, growth: u32) -> String {
    let mut map = Map::draw(c, growth, true);
    let most = (map.rows * map.cols / 12) as i128;
    let rocks = c.log_range(1, most.max(1)) as usize;
    map.throw_rocks(c, rocks);
    map.print()
}

pub(super) fn crosses(c: &mut Choices, growth: u32) -> String {
    let mut map = Map::draw(c, growth, false);
    let most = (map.rows - 2 * ARM) * (map.cols - 2 * ARM);
    for _ in 0..c.log_range(1, most.min(30) as i128) {
        let cell = map.place(c);
        let arm = ARM + c.weighted(&[4, 1, 2]);
        map.cross(cell, arm);
    }
    map.print()
}

/// One cross, and half the time a rock on one of its nine cells.
pub(super) fn one_base(c: &mut Choices, growth: u32) -> String {
    let mut map = Map::draw(c, growth, false);
    let (row, col) = map.place(c);
    map.cross((row, col), ARM);
    if c.chance(1, 2) {
        let along = c.index(2 * ARM + 1);
        map.set(if c.chance(1, 2) { (row, col - ARM + along) } else { (row - ARM + along, col) }, false);
    }
    map.print()
}

/// Crosses of which one arm is cut to a single cell, among others that are whole.
pub(super) fn short_arms(c: &mut Choices, growth: u32) -> String {
    let mut map = Map::draw(c, growth, false);
    let wanted = c.log_range(1, 8);
    for _ in 0..wanted {
        let cell = map.place(c);
        map.cross(cell, ARM);
    }
    for _ in 0..c.range(1, wanted) {
        let (row, col) = map.place(c);
        map.cross((row, col), ARM);
        let ends = [(row, col - ARM), (row, col + ARM), (row - ARM, col), (row + ARM, col)];
        map.set(ends[c.index(ends.len())], false);
    }
    map.print()
}

/// Monsters only where some rows meet some columns, so that many share a line.
pub(super) fn shared_lines(c: &mut Choices, growth: u32) -> String {
    let mut map = Map::draw(c, growth, false);
    let rows = some(c, Map::room(map.rows), 5);
    let cols = some(c, Map::room(map.cols), 5);
    let missing = c.range(0, 3) as u32;
    for row in &rows {
        for col in &cols {
            if !c.chance(missing, 6) {
                map.cross((*row, *col), ARM);
            }
        }
    }
    map.print()
}

/// One monster between others in one line, which its lava would part; often with one that can kill it from the side.
pub(super) fn parted(c: &mut Choices, growth: u32) -> String {
    let rows = size(c, LEAST_SIDE + 2, MOST_SIDE, growth) as usize;
    let cols = size(c, LEAST_SIDE + 2, MOST_SIDE, growth) as usize;
    let mut map = Map::of(rows, cols, false);
    if c.chance(1, 2) {
        // A move that changes nothing else, as far as no other monster is in its lines.
        map.cross((ARM, ARM), ARM);
    }
    let middle = (ARM + 1 + c.index(rows - 2 * ARM - 2), ARM + 1 + c.index(cols - 2 * ARM - 2));
    map.cross(middle, ARM);
    if c.chance(1, 2) {
        // Its lava takes the one in the middle along, but parts nobody whom that one would.
        let (row, col) = map.place(c);
        map.cross(if c.chance(1, 2) { (middle.0, col) } else { (row, middle.1) }, ARM);
    }
    for _ in 0..1 + c.index(3) {
        let (up, down) = (ARM + c.index(middle.0 - ARM), middle.0 + 1 + c.index(rows - ARM - middle.0 - 1));
        let (left, right) = (ARM + c.index(middle.1 - ARM), middle.1 + 1 + c.index(cols - ARM - middle.1 - 1));
        let row = if c.chance(1, 2) { up } else { down };
        let col = if c.chance(1, 2) { left } else { right };
        let pair = if c.chance(1, 2) { [(row, left), (row, right)] } else { [(up, col), (down, col)] };
        pair.into_iter().for_each(|cell| map.cross(cell, ARM));
    }
    map.print()
}

/// No two monsters in one line, unless their crosses make another one: each move takes about one.
pub(super) fn own_lines(c: &mut Choices, growth: u32) -> String {
    let mut map = Map::draw(c, growth, false);
    let rows = some(c, Map::room(map.rows), 16);
    let cols = some(c, Map::room(map.cols), 16);
    for cell in rows.into_iter().zip(cols) {
        map.cross(cell, ARM);
    }
    map.print()
}

/// Open blocks with rock between them: the large nimbers are here.
pub(super) fn blocks(c: &mut Choices, growth: u32) -> String {
    let mut map = Map::draw(c, growth, true);
    for _ in 0..1 + c.index(3) {
        let row = c.index(map.rows);
        let col = c.index(map.cols);
        if c.chance(1, 2) {
            (0..map.cols).for_each(|col| map.set((row, col), false));
        } else {
            (0..map.rows).for_each(|row| map.set((row, col), false));
        }
    }
    map.print()
}

/// Several crosses in one row or column with rock between them; now and then one is moved out of the line.
pub(super) fn far_apart(c: &mut Choices, growth: u32) -> String {
    let length = size(c, 2 * LEAST_SIDE, MOST_SIDE, growth) as usize;
    let breadth = size(c, LEAST_SIDE, MOST_SIDE, growth) as usize;
    let upright = c.chance(1, 2);
    let mut map = if upright { Map::of(length, breadth, false) } else { Map::of(breadth, length, false) };
    let line = ARM + c.index(breadth - 2 * ARM);
    let mut along = ARM + c.index(2);
    while along + ARM < length {
        let beside = if c.chance(1, 4) { ARM + c.index(breadth - 2 * ARM) } else { line };
        map.cross(if upright { (along, beside) } else { (beside, along) }, ARM);
        along += LEAST_SIDE as usize + c.index(3);
    }
    map.print()
}

/// Two open groups that no line has in common: their nimbers come together unchanged, and often they are equal.
pub(super) fn two_groups(c: &mut Choices, growth: u32) -> String {
    let rows = size(c, 2 * LEAST_SIDE, MOST_SIDE, growth) as usize;
    let cols = size(c, 2 * LEAST_SIDE, MOST_SIDE, growth) as usize;
    let mut map = Map::of(rows, cols, false);
    let least = LEAST_SIDE as usize;
    let (row, col) = (least + c.index(rows - 2 * least + 1), least + c.index(cols - 2 * least + 1));
    let mirrored = c.chance(1, 2);
    for r in 0..rows {
        for k in 0..cols {
            let place = if mirrored { cols - 1 - k } else { k };
            map.set((r, place), (r < row) == (k < col));
        }
    }
    let rocks = c.log_range(0, (rows * cols / 40) as i128) as usize;
    map.throw_rocks(c, rocks);
    map.print()
}

/// The four sides of the map: crosses whose ends are its outermost cells, and some that lack that end.
pub(super) fn border(c: &mut Choices, growth: u32) -> String {
    let mut map = Map::draw(c, growth, false);
    for _ in 0..1 + c.index(6) {
        let (row, col) = map.place(c);
        let (last_row, last_col) = (map.rows - 1 - ARM, map.cols - 1 - ARM);
        let cells = [(ARM, col), (last_row, col), (row, ARM), (row, last_col), (last_row, last_col)];
        map.cross(cells[c.index(cells.len())], ARM);
    }
    for _ in 0..c.index(3) {
        let (row, col) = (c.index(map.rows), c.index(map.cols));
        let ends = [(0, col), (map.rows - 1, col), (row, 0), (row, map.cols - 1)];
        map.set(ends[c.index(ends.len())], false);
    }
    map.print()
}

/// Looks the same when turned round: Kirito can often answer each move by its image.
pub(super) fn turned(c: &mut Choices, growth: u32) -> String {
    let mut map = Map::draw(c, growth, false);
    for _ in 0..c.log_range(1, 12) {
        let (row, col) = map.place(c);
        map.cross((row, col), ARM);
        map.cross((map.rows - 1 - row, map.cols - 1 - col), ARM);
    }
    map.print()
}

/// Too small or too rocky for a monster, or just large enough for it.
pub(super) fn hardly_any(c: &mut Choices, growth: u32) -> String {
    let rows = c.range(1, 7) as usize;
    let cols = size(c, 1, MOST_SIDE, growth) as usize;
    let (rows, cols) = if c.chance(1, 2) { (cols, rows) } else { (rows, cols) };
    let mut map = Map::of(rows, cols, true);
    let rocks = c.log_range(0, (rows * cols) as i128 / 4) as usize;
    map.throw_rocks(c, rocks);
    map.print()
}
