//! Maps for the placement of monster bases, with various arrangements of their rows and columns.
//!
//! A monster needs a cross of nine open cells, and a uniformly random map contains few. So crosses are planted here, or
//! rocks are scattered on an open map. Wrong programs are distinguished by how the crosses share rows and columns: in
//! two parts of a map that lava has separated, a row counts as two rows.

use crate::choices::Choices;
use crate::sizes::draw_size;

const MAX_SIDE: i128 = 20;
/// The length of the arms of a monster's cross.
const ARM_LENGTH: usize = 2;
/// Minimum side of a map with a monster.
const MIN_SIDE: i128 = 2 * ARM_LENGTH as i128 + 1;

/// Row and column, counted from zero.
type MapCell = (usize, usize);

/// A map of cells that are open or rock.
struct MonsterMap {
    rows: usize,
    cols: usize,
    open: Vec<bool>,
}

impl MonsterMap {
    fn filled_with(rows: usize, cols: usize, open: bool) -> MonsterMap {
        MonsterMap { rows, cols, open: vec![open; rows * cols] }
    }

    /// Draws a map of any size that can hold a monster, all open or all rock.
    fn draw_map(c: &mut Choices, growth: u32, open: bool) -> MonsterMap {
        let rows = draw_size(c, MIN_SIDE, MAX_SIDE, growth) as usize;
        let cols = draw_size(c, MIN_SIDE, MAX_SIDE, growth) as usize;
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
    fn draw_monster_cell(&self, c: &mut Choices) -> MapCell {
        (ARM_LENGTH + c.draw_index(self.rows - 2 * ARM_LENGTH), ARM_LENGTH + c.draw_index(self.cols - 2 * ARM_LENGTH))
    }

    /// Puts rocks on random cells. Some of the cells can coincide.
    fn throw_rocks(&mut self, c: &mut Choices, rocks: usize) {
        for _ in 0..rocks {
            let cell = c.draw_index(self.open.len());
            self.open[cell] = false;
        }
    }

    /// Returns the input file with this map as its only case.
    fn to_input_file(&self) -> String {
        let mut text = format!("1\n{} {}\n", self.rows, self.cols);
        for row in self.open.chunks(self.cols) {
            text.extend(row.iter().map(|open| if *open { '^' } else { '#' }));
            text.push('\n');
        }
        text
    }
}

/// Returns some of `items` in random order: at least one, at most `most`.
fn pick_some(c: &mut Choices, mut items: Vec<usize>, most: usize) -> Vec<usize> {
    c.shuffle(&mut items);
    items.truncate(1 + c.draw_index(items.len().min(most)));
    items
}

pub(super) fn build_open(c: &mut Choices, growth: u32) -> String {
    MonsterMap::draw_map(c, growth, true).to_input_file()
}

pub(super) fn build_few_rocks(c: &mut Choices, growth: u32) -> String {
    let mut map = MonsterMap::draw_map(c, growth, true);
    let most = (map.rows * map.cols / 12) as i128;
    let rocks = c.draw_log_range(1, most.max(1)) as usize;
    map.throw_rocks(c, rocks);
    map.to_input_file()
}

pub(super) fn build_crosses(c: &mut Choices, growth: u32) -> String {
    let mut map = MonsterMap::draw_map(c, growth, false);
    let most = (map.rows - 2 * ARM_LENGTH) * (map.cols - 2 * ARM_LENGTH);
    for _ in 0..c.draw_log_range(1, most.min(30) as i128) {
        let cell = map.draw_monster_cell(c);
        let arm = ARM_LENGTH + c.draw_weighted(&[4, 1, 2]);
        map.open_cross(cell, arm);
    }
    map.to_input_file()
}

/// One cross, and half the time a rock on one of its nine cells.
pub(super) fn build_one_base(c: &mut Choices, growth: u32) -> String {
    let mut map = MonsterMap::draw_map(c, growth, false);
    let (row, col) = map.draw_monster_cell(c);
    map.open_cross((row, col), ARM_LENGTH);
    if c.draw_chance(1, 2) {
        let along = c.draw_index(2 * ARM_LENGTH + 1);
        map.set_open(
            if c.draw_chance(1, 2) { (row, col - ARM_LENGTH + along) } else { (row - ARM_LENGTH + along, col) },
            false,
        );
    }
    map.to_input_file()
}

/// Crosses of which one arm is cut to a single cell, among others that are whole.
pub(super) fn build_short_arms(c: &mut Choices, growth: u32) -> String {
    let mut map = MonsterMap::draw_map(c, growth, false);
    let wanted = c.draw_log_range(1, 8);
    for _ in 0..wanted {
        let cell = map.draw_monster_cell(c);
        map.open_cross(cell, ARM_LENGTH);
    }
    for _ in 0..c.draw_range(1, wanted) {
        let (row, col) = map.draw_monster_cell(c);
        map.open_cross((row, col), ARM_LENGTH);
        let ends = [(row, col - ARM_LENGTH), (row, col + ARM_LENGTH), (row - ARM_LENGTH, col), (row + ARM_LENGTH, col)];
        map.set_open(ends[c.draw_index(ends.len())], false);
    }
    map.to_input_file()
}

/// Monsters only where some rows meet some columns, so that many share a line.
pub(super) fn build_shared_lines(c: &mut Choices, growth: u32) -> String {
    let mut map = MonsterMap::draw_map(c, growth, false);
    let rows = pick_some(c, MonsterMap::monster_lines(map.rows), 5);
    let cols = pick_some(c, MonsterMap::monster_lines(map.cols), 5);
    let missing = c.draw_range(0, 3) as u32;
    for row in &rows {
        for col in &cols {
            if !c.draw_chance(missing, 6) {
                map.open_cross((*row, *col), ARM_LENGTH);
            }
        }
    }
    map.to_input_file()
}

/// One monster between others in one line, which its lava would separate; often with another one that can kill it from
/// the side.
pub(super) fn build_parted(c: &mut Choices, growth: u32) -> String {
    let rows = draw_size(c, MIN_SIDE + 2, MAX_SIDE, growth) as usize;
    let cols = draw_size(c, MIN_SIDE + 2, MAX_SIDE, growth) as usize;
    let mut map = MonsterMap::filled_with(rows, cols, false);
    if c.draw_chance(1, 2) {
        // A move without other effects, as long as no other monster is in its lines.
        map.open_cross((ARM_LENGTH, ARM_LENGTH), ARM_LENGTH);
    }
    let middle = (
        ARM_LENGTH + 1 + c.draw_index(rows - 2 * ARM_LENGTH - 2),
        ARM_LENGTH + 1 + c.draw_index(cols - 2 * ARM_LENGTH - 2),
    );
    map.open_cross(middle, ARM_LENGTH);
    if c.draw_chance(1, 2) {
        // Its lava also kills the one in the middle, but does not separate the others.
        let (row, col) = map.draw_monster_cell(c);
        map.open_cross(if c.draw_chance(1, 2) { (middle.0, col) } else { (row, middle.1) }, ARM_LENGTH);
    }
    for _ in 0..1 + c.draw_index(3) {
        let (up, down) = (
            ARM_LENGTH + c.draw_index(middle.0 - ARM_LENGTH),
            middle.0 + 1 + c.draw_index(rows - ARM_LENGTH - middle.0 - 1),
        );
        let (left, right) = (
            ARM_LENGTH + c.draw_index(middle.1 - ARM_LENGTH),
            middle.1 + 1 + c.draw_index(cols - ARM_LENGTH - middle.1 - 1),
        );
        let row = if c.draw_chance(1, 2) { up } else { down };
        let col = if c.draw_chance(1, 2) { left } else { right };
        let pair = if c.draw_chance(1, 2) { [(row, left), (row, right)] } else { [(up, col), (down, col)] };
        pair.into_iter().for_each(|cell| map.open_cross(cell, ARM_LENGTH));
    }
    map.to_input_file()
}

/// No two monsters in one line, unless their crosses form another one: each move kills about one.
pub(super) fn build_own_lines(c: &mut Choices, growth: u32) -> String {
    let mut map = MonsterMap::draw_map(c, growth, false);
    let rows = pick_some(c, MonsterMap::monster_lines(map.rows), 16);
    let cols = pick_some(c, MonsterMap::monster_lines(map.cols), 16);
    for cell in rows.into_iter().zip(cols) {
        map.open_cross(cell, ARM_LENGTH);
    }
    map.to_input_file()
}

/// Open blocks with rock between them, which have large nimbers.
pub(super) fn build_blocks(c: &mut Choices, growth: u32) -> String {
    let mut map = MonsterMap::draw_map(c, growth, true);
    for _ in 0..1 + c.draw_index(3) {
        let row = c.draw_index(map.rows);
        let col = c.draw_index(map.cols);
        if c.draw_chance(1, 2) {
            (0..map.cols).for_each(|col| map.set_open((row, col), false));
        } else {
            (0..map.rows).for_each(|row| map.set_open((row, col), false));
        }
    }
    map.to_input_file()
}

/// Several crosses in one row or column with rock between them; now and then one is moved out of the line.
pub(super) fn build_far_apart(c: &mut Choices, growth: u32) -> String {
    let length = draw_size(c, 2 * MIN_SIDE, MAX_SIDE, growth) as usize;
    let breadth = draw_size(c, MIN_SIDE, MAX_SIDE, growth) as usize;
    let upright = c.draw_chance(1, 2);
    let mut map = if upright {
        MonsterMap::filled_with(length, breadth, false)
    } else {
        MonsterMap::filled_with(breadth, length, false)
    };
    let line = ARM_LENGTH + c.draw_index(breadth - 2 * ARM_LENGTH);
    let mut along = ARM_LENGTH + c.draw_index(2);
    while along + ARM_LENGTH < length {
        let beside = if c.draw_chance(1, 4) { ARM_LENGTH + c.draw_index(breadth - 2 * ARM_LENGTH) } else { line };
        map.open_cross(if upright { (along, beside) } else { (beside, along) }, ARM_LENGTH);
        along += MIN_SIDE as usize + c.draw_index(3);
    }
    map.to_input_file()
}

/// Two open groups without a common line: the nimber of the map is the sum of theirs, and often they are equal.
pub(super) fn build_two_groups(c: &mut Choices, growth: u32) -> String {
    let rows = draw_size(c, 2 * MIN_SIDE, MAX_SIDE, growth) as usize;
    let cols = draw_size(c, 2 * MIN_SIDE, MAX_SIDE, growth) as usize;
    let mut map = MonsterMap::filled_with(rows, cols, false);
    let least = MIN_SIDE as usize;
    let (row, col) = (least + c.draw_index(rows - 2 * least + 1), least + c.draw_index(cols - 2 * least + 1));
    let mirrored = c.draw_chance(1, 2);
    for r in 0..rows {
        for k in 0..cols {
            let place = if mirrored { cols - 1 - k } else { k };
            map.set_open((r, place), (r < row) == (k < col));
        }
    }
    let rocks = c.draw_log_range(0, (rows * cols / 40) as i128) as usize;
    map.throw_rocks(c, rocks);
    map.to_input_file()
}

/// Crosses that end at the four sides of the map, and some that lack their last cell.
pub(super) fn build_border(c: &mut Choices, growth: u32) -> String {
    let mut map = MonsterMap::draw_map(c, growth, false);
    for _ in 0..1 + c.draw_index(6) {
        let (row, col) = map.draw_monster_cell(c);
        let (last_row, last_col) = (map.rows - 1 - ARM_LENGTH, map.cols - 1 - ARM_LENGTH);
        let cells = [(ARM_LENGTH, col), (last_row, col), (row, ARM_LENGTH), (row, last_col), (last_row, last_col)];
        map.open_cross(cells[c.draw_index(cells.len())], ARM_LENGTH);
    }
    for _ in 0..c.draw_index(3) {
        let (row, col) = (c.draw_index(map.rows), c.draw_index(map.cols));
        let ends = [(0, col), (map.rows - 1, col), (row, 0), (row, map.cols - 1)];
        map.set_open(ends[c.draw_index(ends.len())], false);
    }
    map.to_input_file()
}

/// Symmetric under a half-turn: Kirito can often answer each move with its image.
pub(super) fn build_turned(c: &mut Choices, growth: u32) -> String {
    let mut map = MonsterMap::draw_map(c, growth, false);
    for _ in 0..c.draw_log_range(1, 12) {
        let (row, col) = map.draw_monster_cell(c);
        map.open_cross((row, col), ARM_LENGTH);
        map.open_cross((map.rows - 1 - row, map.cols - 1 - col), ARM_LENGTH);
    }
    map.to_input_file()
}

/// Too small or too rocky for a monster, or just large enough for it.
pub(super) fn build_hardly_any(c: &mut Choices, growth: u32) -> String {
    let rows = c.draw_range(1, 7) as usize;
    let cols = draw_size(c, 1, MAX_SIDE, growth) as usize;
    let (rows, cols) = if c.draw_chance(1, 2) { (cols, rows) } else { (rows, cols) };
    let mut map = MonsterMap::filled_with(rows, cols, true);
    let rocks = c.draw_log_range(0, (rows * cols) as i128 / 4) as usize;
    map.throw_rocks(c, rocks);
    map.to_input_file()
}
