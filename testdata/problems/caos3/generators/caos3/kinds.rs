//! Maps for the placement of monster bases, with various arrangements of their rows and columns.
//!
//! A monster needs a cross of nine open cells, and a uniformly random map contains few. So crosses are planted here, or
//! rocks are scattered on an open map. Wrong programs are distinguished by how the crosses share rows and columns: in
//! two parts of a map that lava has separated, a row counts as two rows.

use super::draws::{index, log_range, size};
use super::rebut;

/// The smallest and the largest side of maps.
pub type SideRange = (i64, i64);

/// The sides that the problem allows.
pub const ALL_SIDES: SideRange = (1, 20);

/// The length of the arms of a monster's cross.
const ARM_LENGTH: usize = 2;
/// Minimum side of a map with a monster.
const MIN_SIDE: i64 = 2 * ARM_LENGTH as i64 + 1;

/// A name and a function that draws a case.
pub type Kind = (&'static str, fn(SideRange) -> MonsterMap);

/// All kinds of cases.
pub const KINDS: [Kind; 15] = [
    ("open", draw_open),
    ("few-rocks", draw_few_rocks),
    ("narrow", draw_narrow),
    ("crosses", draw_crosses),
    ("one-base", draw_one_base),
    ("short-arms", draw_short_arms),
    ("shared-lines", draw_shared_lines),
    ("parted", draw_parted),
    ("own-lines", draw_own_lines),
    ("blocks", draw_blocks),
    ("far-apart", draw_far_apart),
    ("two-groups", draw_two_groups),
    ("border", draw_border),
    ("turned", draw_turned),
    ("hardly-any", draw_hardly_any),
];

/// Row and column, counted from zero.
type MapCell = (usize, usize);

/// Draws a side of at least `least`.
fn draw_side(least: i64, range: SideRange) -> i64 {
    size(range.0.max(least), range.1.max(least))
}

/// A map of cells that are open or rock.
pub struct MonsterMap {
    rows: usize,
    cols: usize,
    open: Vec<bool>,
}

impl MonsterMap {
    fn filled_with(rows: usize, cols: usize, open: bool) -> MonsterMap {
        MonsterMap { rows, cols, open: vec![open; rows * cols] }
    }

    /// Draws a map of any size that can hold a monster, all open or all rock.
    fn draw_map(range: SideRange, open: bool) -> MonsterMap {
        let rows = draw_side(MIN_SIDE, range) as usize;
        let cols = draw_side(MIN_SIDE, range) as usize;
        MonsterMap::filled_with(rows, cols, open)
    }

    fn set_open(&mut self, (row, col): MapCell, open: bool) {
        self.open[row * self.cols + col] = open;
    }

    /// Opens a cell and arms of this length around it, as far as they are on the map.
    fn open_cross(&mut self, (row, col): MapCell, arm: usize) {
        for r in row.saturating_sub(arm)..(row + arm + 1).min(self.rows) {
            self.set_open((r, col), true);
        }
        for c in col.saturating_sub(arm)..(col + arm + 1).min(self.cols) {
            self.set_open((row, c), true);
        }
    }

    /// Returns the rows, or columns, in which a monster can live on a side of this length.
    fn monster_lines(side: usize) -> Vec<usize> {
        (ARM_LENGTH..side - ARM_LENGTH).collect()
    }

    /// Draws a cell on which a monster can live.
    fn draw_monster_cell(&self) -> MapCell {
        (ARM_LENGTH + index(self.rows - 2 * ARM_LENGTH), ARM_LENGTH + index(self.cols - 2 * ARM_LENGTH))
    }

    /// Puts rocks on random cells. Some of the cells can coincide.
    fn throw_rocks(&mut self, rocks: usize) {
        for _ in 0..rocks {
            let cell = index(self.open.len());
            self.open[cell] = false;
        }
    }

    /// Returns the case with this map.
    pub fn to_case(&self) -> String {
        let mut text = format!("{} {}\n", self.rows, self.cols);
        for row in self.open.chunks(self.cols) {
            text.extend(row.iter().map(|open| if *open { '^' } else { '#' }));
            text.push('\n');
        }
        text
    }
}

/// Returns some of `items` in random order: at least one, at most `most`.
fn pick_some(mut items: Vec<usize>, most: usize) -> Vec<usize> {
    rebut::shuffle(&mut items);
    items.truncate(1 + index(items.len().min(most)));
    items
}

/// No rock at all.
fn draw_open(range: SideRange) -> MonsterMap {
    MonsterMap::draw_map(range, true)
}

/// An open map with a few rocks: many bases.
fn draw_few_rocks(range: SideRange) -> MonsterMap {
    with_few_rocks(MonsterMap::draw_map(range, true))
}

/// An open map with a few rocks, and only one or two rows or columns with a base.
fn draw_narrow(range: SideRange) -> MonsterMap {
    let (width, length) = (MIN_SIDE as usize + index(2), draw_side(MIN_SIDE, range) as usize);
    let (rows, cols) = if rebut::chance(1, 2) { (length, width) } else { (width, length) };
    with_few_rocks(MonsterMap::filled_with(rows, cols, true))
}

fn with_few_rocks(mut map: MonsterMap) -> MonsterMap {
    let most = (map.rows * map.cols / 12) as i64;
    let rocks = log_range(1, most.max(1)) as usize;
    map.throw_rocks(rocks);
    map
}

/// Crosses of open cells at random places.
fn draw_crosses(range: SideRange) -> MonsterMap {
    let mut map = MonsterMap::draw_map(range, false);
    let most = (map.rows - 2 * ARM_LENGTH) * (map.cols - 2 * ARM_LENGTH);
    for _ in 0..log_range(1, most.min(30) as i64) {
        let cell = map.draw_monster_cell();
        let arm = ARM_LENGTH + rebut::weighted(&[4, 1, 2]);
        map.open_cross(cell, arm);
    }
    map
}

/// One cross, and half the time a rock on one of its nine cells.
fn draw_one_base(range: SideRange) -> MonsterMap {
    let mut map = MonsterMap::draw_map(range, false);
    let (row, col) = map.draw_monster_cell();
    map.open_cross((row, col), ARM_LENGTH);
    if rebut::chance(1, 2) {
        let along = index(2 * ARM_LENGTH + 1);
        map.set_open(
            if rebut::chance(1, 2) { (row, col - ARM_LENGTH + along) } else { (row - ARM_LENGTH + along, col) },
            false,
        );
    }
    map
}

/// Crosses of which one arm is cut to a single cell, among others that are whole.
fn draw_short_arms(range: SideRange) -> MonsterMap {
    let mut map = MonsterMap::draw_map(range, false);
    let wanted = log_range(1, 8);
    for _ in 0..wanted {
        let cell = map.draw_monster_cell();
        map.open_cross(cell, ARM_LENGTH);
    }
    for _ in 0..rebut::next(1, wanted) {
        let (row, col) = map.draw_monster_cell();
        map.open_cross((row, col), ARM_LENGTH);
        let ends = [(row, col - ARM_LENGTH), (row, col + ARM_LENGTH), (row - ARM_LENGTH, col), (row + ARM_LENGTH, col)];
        map.set_open(ends[index(ends.len())], false);
    }
    map
}

/// Monsters only where some rows meet some columns, so that many share a line.
fn draw_shared_lines(range: SideRange) -> MonsterMap {
    let mut map = MonsterMap::draw_map(range, false);
    let rows = pick_some(MonsterMap::monster_lines(map.rows), 5);
    let cols = pick_some(MonsterMap::monster_lines(map.cols), 5);
    let missing = rebut::draw(3);
    for row in &rows {
        for col in &cols {
            if !rebut::chance(missing, 6) {
                map.open_cross((*row, *col), ARM_LENGTH);
            }
        }
    }
    map
}

/// One monster between others in one line, which its lava would separate; often with another one that can kill it from
/// the side.
fn draw_parted(range: SideRange) -> MonsterMap {
    let rows = draw_side(MIN_SIDE + 2, range) as usize;
    let cols = draw_side(MIN_SIDE + 2, range) as usize;
    let mut map = MonsterMap::filled_with(rows, cols, false);
    if rebut::chance(1, 2) {
        // A move without other effects, as long as no other monster is in its lines.
        map.open_cross((ARM_LENGTH, ARM_LENGTH), ARM_LENGTH);
    }
    let middle = (ARM_LENGTH + 1 + index(rows - 2 * ARM_LENGTH - 2), ARM_LENGTH + 1 + index(cols - 2 * ARM_LENGTH - 2));
    map.open_cross(middle, ARM_LENGTH);
    if rebut::chance(1, 2) {
        // Its lava also kills the one in the middle, but does not separate the others.
        let (row, col) = map.draw_monster_cell();
        map.open_cross(if rebut::chance(1, 2) { (middle.0, col) } else { (row, middle.1) }, ARM_LENGTH);
    }
    for _ in 0..1 + index(3) {
        let (up, down) =
            (ARM_LENGTH + index(middle.0 - ARM_LENGTH), middle.0 + 1 + index(rows - ARM_LENGTH - middle.0 - 1));
        let (left, right) =
            (ARM_LENGTH + index(middle.1 - ARM_LENGTH), middle.1 + 1 + index(cols - ARM_LENGTH - middle.1 - 1));
        let row = if rebut::chance(1, 2) { up } else { down };
        let col = if rebut::chance(1, 2) { left } else { right };
        let pair = if rebut::chance(1, 2) { [(row, left), (row, right)] } else { [(up, col), (down, col)] };
        pair.into_iter().for_each(|cell| map.open_cross(cell, ARM_LENGTH));
    }
    map
}

/// No two monsters in one line, unless their crosses form another one: each move kills about one.
fn draw_own_lines(range: SideRange) -> MonsterMap {
    let mut map = MonsterMap::draw_map(range, false);
    let rows = pick_some(MonsterMap::monster_lines(map.rows), 16);
    let cols = pick_some(MonsterMap::monster_lines(map.cols), 16);
    for cell in rows.into_iter().zip(cols) {
        map.open_cross(cell, ARM_LENGTH);
    }
    map
}

/// Open blocks with rock between them, which have large nimbers.
fn draw_blocks(range: SideRange) -> MonsterMap {
    let mut map = MonsterMap::draw_map(range, true);
    for _ in 0..1 + index(3) {
        let row = index(map.rows);
        let col = index(map.cols);
        if rebut::chance(1, 2) {
            (0..map.cols).for_each(|col| map.set_open((row, col), false));
        } else {
            (0..map.rows).for_each(|row| map.set_open((row, col), false));
        }
    }
    map
}

/// Several crosses in one row or column with rock between them; now and then one is moved out of the line.
fn draw_far_apart(range: SideRange) -> MonsterMap {
    let length = draw_side(2 * MIN_SIDE, range) as usize;
    let breadth = draw_side(MIN_SIDE, range) as usize;
    let upright = rebut::chance(1, 2);
    let mut map = if upright {
        MonsterMap::filled_with(length, breadth, false)
    } else {
        MonsterMap::filled_with(breadth, length, false)
    };
    let line = ARM_LENGTH + index(breadth - 2 * ARM_LENGTH);
    let mut along = ARM_LENGTH + index(2);
    while along + ARM_LENGTH < length {
        let beside = if rebut::chance(1, 4) { ARM_LENGTH + index(breadth - 2 * ARM_LENGTH) } else { line };
        map.open_cross(if upright { (along, beside) } else { (beside, along) }, ARM_LENGTH);
        along += MIN_SIDE as usize + index(3);
    }
    map
}

/// Two open groups without a common line: the nimber of the map is the sum of theirs, and often they are equal.
fn draw_two_groups(range: SideRange) -> MonsterMap {
    let rows = draw_side(2 * MIN_SIDE, range) as usize;
    let cols = draw_side(2 * MIN_SIDE, range) as usize;
    let mut map = MonsterMap::filled_with(rows, cols, false);
    let least = MIN_SIDE as usize;
    let (row, col) = (least + index(rows - 2 * least + 1), least + index(cols - 2 * least + 1));
    let mirrored = rebut::chance(1, 2);
    for r in 0..rows {
        for k in 0..cols {
            let place = if mirrored { cols - 1 - k } else { k };
            map.set_open((r, place), (r < row) == (k < col));
        }
    }
    let rocks = log_range(0, (rows * cols / 40) as i64) as usize;
    map.throw_rocks(rocks);
    map
}

/// Crosses that end at the four sides of the map, and some that lack their last cell.
fn draw_border(range: SideRange) -> MonsterMap {
    let mut map = MonsterMap::draw_map(range, false);
    for _ in 0..1 + index(6) {
        let (row, col) = map.draw_monster_cell();
        let (last_row, last_col) = (map.rows - 1 - ARM_LENGTH, map.cols - 1 - ARM_LENGTH);
        let cells = [(ARM_LENGTH, col), (last_row, col), (row, ARM_LENGTH), (row, last_col), (last_row, last_col)];
        map.open_cross(cells[index(cells.len())], ARM_LENGTH);
    }
    for _ in 0..index(3) {
        let (row, col) = (index(map.rows), index(map.cols));
        let ends = [(0, col), (map.rows - 1, col), (row, 0), (row, map.cols - 1)];
        map.set_open(ends[index(ends.len())], false);
    }
    map
}

/// Symmetric under a half-turn: Kirito can often answer each move with its image.
fn draw_turned(range: SideRange) -> MonsterMap {
    let mut map = MonsterMap::draw_map(range, false);
    for _ in 0..log_range(1, 12) {
        let (row, col) = map.draw_monster_cell();
        map.open_cross((row, col), ARM_LENGTH);
        map.open_cross((map.rows - 1 - row, map.cols - 1 - col), ARM_LENGTH);
    }
    map
}

/// Too small or too rocky for a monster, or just large enough for it.
fn draw_hardly_any(range: SideRange) -> MonsterMap {
    let rows = rebut::next(1, 7) as usize;
    let cols = draw_side(1, range) as usize;
    let (rows, cols) = if rebut::chance(1, 2) { (cols, rows) } else { (rows, cols) };
    let mut map = MonsterMap::filled_with(rows, cols, true);
    let rocks = log_range(0, (rows * cols) as i64 / 4) as usize;
    map.throw_rocks(rocks);
    map
}
