//! Boards of chains and loops, laid out on purpose.
//!
//! A board drawn at random is hardly ever valid, and its answer is decided by one large part or by the number of small
//! ones. What tells programs apart are many small parts of two or three lengths, and a loser who can choose whether to
//! give away a chain or a loop: so lengths are drawn from small palettes, and the closest of several boards is taken.

mod board;
mod layout;
mod value;

use board::Board;
use layout::Palette;

use crate::choices::Choices;
use crate::sizes::size;

/// The most rows, and the most columns.
const MOST: i128 = 200;

/// How many boards are drawn where a close one is wanted.
const ATTEMPTS: usize = 6;

fn side(c: &mut Choices, least: i128, growth: u32) -> usize {
    size(c, least, MOST, growth) as usize
}

/// An even side.
fn even(c: &mut Choices, least: i128, growth: u32) -> usize {
    2 * size(c, least / 2, MOST / 2, growth) as usize
}

/// One to three lengths of chains and of loops: small ones, and sometimes a large one.
fn palette(c: &mut Choices, least_chain: usize) -> Palette {
    let mut draw = |least: usize, near: usize| {
        let kinds = 1 + c.index(3);
        let length = |c: &mut Choices| least + if c.chance(1, 6) { c.index(20) } else { c.index(near) };
        (0..kinds).map(|_| length(c)).collect()
    };
    Palette { chains: draw(least_chain, 4), loops: draw(2, 3) }
}

/// The lengths around which it pays to keep control, or not.
fn contested(c: &mut Choices) -> Palette {
    let chains = [&[3][..], &[3, 4], &[3, 3, 5], &[3, 6], &[2, 3], &[4, 5]];
    let loops = [&[2][..], &[2, 3], &[3], &[2, 2, 4], &[2, 5]];
    let pick = |c: &mut Choices, lists: &[&[usize]]| c.pick(lists).map_or(Vec::new(), |list| list.to_vec());
    Palette { chains: pick(c, &chains), loops: pick(c, &loops) }
}

/// Of several boards, the one whose end comes nearest to a draw, or to a close win.
fn closest(c: &mut Choices, mut draw: impl FnMut(&mut Choices) -> Board) -> Board {
    let aim = c.range(-2, 2) as i64;
    let first = draw(c);
    let mut best = ((value::deficit(&first.parts()) - aim).abs(), first);
    for _ in 1..ATTEMPTS {
        if best.0 <= 1 {
            break;
        }
        let board = draw(c);
        let distance = (value::deficit(&board.parts()) - aim).abs();
        if distance < best.0 {
            best = (distance, board);
        }
    }
    best.1
}

/// Turns the sides around dots here and there.
fn disturb(c: &mut Choices, board: &mut Board, times: usize) {
    if board.rows < 2 || board.cols < 2 {
        return;
    }
    for _ in 0..times {
        let dot = (1 + c.index(board.rows - 1), 1 + c.index(board.cols - 1));
        board.turn(dot);
    }
}

/// Chains around the border, loops inside.
fn framed(c: &mut Choices, growth: u32, palette: &Palette) -> Board {
    let (rows, cols) = (even(c, 2, growth), side(c, 2, growth));
    // Inside of three columns there is one, which no loop fits in.
    let cols = if cols == 3 && rows > 2 { 4 } else { cols };
    let mut board = Board::new(rows, cols);
    layout::chains_around(c, &mut board, palette);
    if rows > 2 && cols > 2 {
        layout::loops_inside(c, &mut board, (1, 1), (rows - 2, cols - 2), palette);
    }
    board
}

pub(super) fn anywhere(c: &mut Choices, growth: u32) -> String {
    let (rows, cols) = (side(c, 1, growth), side(c, 1, growth));
    Board::coloured(rows, cols, |free, _| free[c.index(free.len())]).print(c)
}

/// Where most dots look like the one diagonally above, parts are long; where few do, they are short.
pub(super) fn tilted(c: &mut Choices, growth: u32) -> String {
    let (rows, cols) = (side(c, 1, growth), side(c, 1, growth));
    let (same, of) = ([1, 3, 5, 9][c.index(4)], 10);
    let board = Board::coloured(rows, cols, |free, corner| {
        let at = free.iter().position(|colour| *colour == corner).unwrap_or(0);
        if c.chance(same, of) { free[at] } else { free[(at + 1) % free.len()] }
    });
    board.print(c)
}

pub(super) fn one_row(c: &mut Choices, growth: u32) -> String {
    let most = side(c, 1, growth);
    let palette = palette(c, 1);
    chains_in_a_row(c, &palette, most).print(c)
}

fn chains_in_a_row(c: &mut Choices, palette: &Palette, most: usize) -> Board {
    let (mut lengths, mut rest) = (Vec::new(), most);
    while rest > 0 {
        lengths.push(palette.chain(c).min(rest));
        rest -= lengths[lengths.len() - 1];
    }
    layout::one_row(c, &lengths)
}

/// Chains of one and two decide who has to open the first long one.
pub(super) fn switches(c: &mut Choices, growth: u32) -> String {
    let most = side(c, 1, growth);
    let chains = [&[1, 2, 3][..], &[1, 3], &[2, 3, 4], &[1, 2], &[1, 2, 5]];
    let palette = Palette { chains: chains[c.index(chains.len())].to_vec(), loops: Vec::new() };
    closest(c, |c| chains_in_a_row(c, &palette, most)).print(c)
}

pub(super) fn two_rows(c: &mut Choices, growth: u32) -> String {
    let most = side(c, 2, growth);
    let palette = palette(c, 1);
    layout::two_rows(c, &palette, most, (1, 2), most).print(c)
}

pub(super) fn frame(c: &mut Choices, growth: u32) -> String {
    let palette = palette(c, 1);
    framed(c, growth, &palette).print(c)
}

/// Lengths around the threshold of control, on the closest of several boards.
pub(super) fn contest(c: &mut Choices, growth: u32) -> String {
    let palette = contested(c);
    let board = closest(c, |c| {
        if c.chance(1, 2) {
            let most = side(c, 2, growth);
            layout::two_rows(c, &palette, most, (1, 2), most)
        } else {
            framed(c, growth, &palette)
        }
    });
    board.print(c)
}

/// Chains of three and loops of four, a long chain among them now and then.
pub(super) fn threes_and_fours(c: &mut Choices, growth: u32) -> String {
    let long = 4 + c.index(8);
    let palette = Palette { chains: vec![3, 3, 3, long], loops: vec![2, 2, 2, 3] };
    let most = side(c, 2, growth);
    let loops = [(1, 4), (1, 2), (3, 4)][c.index(3)];
    closest(c, |c| layout::two_rows(c, &palette, most, loops, most)).print(c)
}

pub(super) fn fours(c: &mut Choices, growth: u32) -> String {
    let (rows, cols) = (even(c, 2, growth), even(c, 2, growth));
    let palette = Palette { chains: Vec::new(), loops: vec![2] };
    loops_only(c, (rows, cols), &palette).print(c)
}

pub(super) fn loops(c: &mut Choices, growth: u32) -> String {
    let (rows, cols) = (even(c, 2, growth), side(c, 2, growth));
    let palette =
        Palette { chains: Vec::new(), loops: [vec![2, 3], vec![3], vec![2, 4], vec![3, 4]][c.index(4)].clone() };
    loops_only(c, (rows, cols), &palette).print(c)
}

fn loops_only(c: &mut Choices, (rows, cols): (usize, usize), palette: &Palette) -> Board {
    let mut board = Board::new(rows, cols);
    layout::loops_inside(c, &mut board, (0, 0), (rows, cols), palette);
    board
}

/// One loop inside the other; the outermost may be chains.
pub(super) fn rings(c: &mut Choices, growth: u32) -> String {
    let (rows, cols) = (even(c, 2, growth), side(c, 2, growth));
    let (rows, cols) = (rows.min(cols).max(2) / 2 * 2, cols.max(rows));
    let mut board = Board::new(rows, cols);
    let palette = palette(c, 1);
    let chains = c.chance(1, 2);
    for depth in 0..rows / 2 {
        if depth == 0 && chains {
            layout::chains_around(c, &mut board, &palette);
        } else {
            board.add_loop(&layout::ring((depth, depth), rows - 2 * depth, cols - 2 * depth));
        }
    }
    board.print(c)
}

pub(super) fn snake(c: &mut Choices, growth: u32) -> String {
    let (rows, cols) = (side(c, 1, growth), side(c, 1, growth));
    layout::snake(c, rows, cols).print(c)
}

pub(super) fn lines(c: &mut Choices, growth: u32) -> String {
    let (rows, cols) = (side(c, 1, growth), side(c, 1, growth));
    layout::lines(c, rows, cols).print(c)
}

/// A frame of which a few corners are turned: parts joined and cut apart.
pub(super) fn disturbed(c: &mut Choices, growth: u32) -> String {
    let palette = contested(c);
    let mut board = framed(c, growth, &palette);
    let times = 1 + c.index(board.rows * board.cols / 2);
    disturb(c, &mut board, times);
    board.print(c)
}
