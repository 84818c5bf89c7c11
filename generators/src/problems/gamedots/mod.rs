//! Boards of chains and loops, laid out systematically.
//!
//! A uniformly random board is hardly ever valid, and its answer depends on one large part or on the number of small
//! ones. Wrong programs are distinguished by many small parts of two or three lengths, and by a losing player with a
//! choice between giving away a chain or a loop. So lengths are drawn from small palettes, and the closest of several
//! boards is used.

mod board;
mod layout;
mod value;

use board::DotBoard;
use layout::LengthPalette;

use crate::choices::Choices;
use crate::sizes::draw_size;

/// Maximum number of rows and of columns.
const MAX_SIDE: i128 = 200;

/// Number of boards from which the closest is picked.
const MAX_ATTEMPTS: usize = 6;

fn draw_side(c: &mut Choices, least: i128, growth: u32) -> usize {
    draw_size(c, least, MAX_SIDE, growth) as usize
}

/// Draws an even side.
fn draw_even_side(c: &mut Choices, least: i128, growth: u32) -> usize {
    2 * draw_size(c, least / 2, MAX_SIDE / 2, growth) as usize
}

/// Draws one to three lengths of chains and of loops: small ones, and sometimes a large one.
fn draw_palette(c: &mut Choices, least_chain: usize) -> LengthPalette {
    let mut draw = |least: usize, near: usize| {
        let kinds = 1 + c.draw_index(3);
        let length = |c: &mut Choices| least + if c.draw_chance(1, 6) { c.draw_index(20) } else { c.draw_index(near) };
        (0..kinds).map(|_| length(c)).collect()
    };
    LengthPalette { chains: draw(least_chain, 4), loops: draw(2, 3) }
}

/// Draws lengths for which keeping control may or may not pay.
fn draw_contested_palette(c: &mut Choices) -> LengthPalette {
    let chains = [&[3][..], &[3, 4], &[3, 3, 5], &[3, 6], &[2, 3], &[4, 5]];
    let loops = [&[2][..], &[2, 3], &[3], &[2, 2, 4], &[2, 5]];
    let pick = |c: &mut Choices, lists: &[&[usize]]| c.pick_item(lists).map_or(Vec::new(), |list| list.to_vec());
    LengthPalette { chains: pick(c, &chains), loops: pick(c, &loops) }
}

/// Draws several boards, and returns the one with the result closest to a draw or a narrow win.
fn pick_closest(c: &mut Choices, mut draw: impl FnMut(&mut Choices) -> DotBoard) -> DotBoard {
    let aim = c.draw_range(-2, 2) as i64;
    let first = draw(c);
    let mut best = ((value::deficit_of_mover(&first.collect_parts()) - aim).abs(), first);
    for _ in 1..MAX_ATTEMPTS {
        if best.0 <= 1 {
            break;
        }
        let board = draw(c);
        let distance = (value::deficit_of_mover(&board.collect_parts()) - aim).abs();
        if distance < best.0 {
            best = (distance, board);
        }
    }
    best.1
}

/// Rotates the sides around random dots.
fn rotate_random_dots(c: &mut Choices, board: &mut DotBoard, times: usize) {
    if board.rows < 2 || board.cols < 2 {
        return;
    }
    for _ in 0..times {
        let dot = (1 + c.draw_index(board.rows - 1), 1 + c.draw_index(board.cols - 1));
        board.rotate_dot(dot);
    }
}

/// Chains around the border, loops inside.
fn framed_board(c: &mut Choices, growth: u32, palette: &LengthPalette) -> DotBoard {
    let (rows, cols) = (draw_even_side(c, 2, growth), draw_side(c, 2, growth));
    // Between the borders of three columns is one column, in which no loop fits.
    let cols = if cols == 3 && rows > 2 { 4 } else { cols };
    let mut board = DotBoard::new(rows, cols);
    layout::add_border_chains(c, &mut board, palette);
    if rows > 2 && cols > 2 {
        layout::add_inner_loops(c, &mut board, (1, 1), (rows - 2, cols - 2), palette);
    }
    board
}

pub(super) fn build_anywhere(c: &mut Choices, growth: u32) -> String {
    let (rows, cols) = (draw_side(c, 1, growth), draw_side(c, 1, growth));
    DotBoard::from_colouring(rows, cols, |free, _| free[c.draw_index(free.len())]).to_input_file(c)
}

/// If most dots have the colour of the one diagonally above, parts are long; if few do, they are short.
pub(super) fn build_tilted(c: &mut Choices, growth: u32) -> String {
    let (rows, cols) = (draw_side(c, 1, growth), draw_side(c, 1, growth));
    let (same, of) = ([1, 3, 5, 9][c.draw_index(4)], 10);
    let board = DotBoard::from_colouring(rows, cols, |free, corner| {
        let at = free.iter().position(|colour| *colour == corner).unwrap_or(0);
        if c.draw_chance(same, of) { free[at] } else { free[(at + 1) % free.len()] }
    });
    board.to_input_file(c)
}

pub(super) fn build_one_row(c: &mut Choices, growth: u32) -> String {
    let most = draw_side(c, 1, growth);
    let palette = draw_palette(c, 1);
    chains_in_a_row_board(c, &palette, most).to_input_file(c)
}

fn chains_in_a_row_board(c: &mut Choices, palette: &LengthPalette, most: usize) -> DotBoard {
    let (mut lengths, mut rest) = (Vec::new(), most);
    while rest > 0 {
        lengths.push(palette.draw_chain_length(c).min(rest));
        rest -= lengths[lengths.len() - 1];
    }
    layout::lay_out_one_row(c, &lengths)
}

/// Chains of one and two decide which player has to open the first long one.
pub(super) fn build_switches(c: &mut Choices, growth: u32) -> String {
    let most = draw_side(c, 1, growth);
    let chains = [&[1, 2, 3][..], &[1, 3], &[2, 3, 4], &[1, 2], &[1, 2, 5]];
    let palette = LengthPalette { chains: chains[c.draw_index(chains.len())].to_vec(), loops: Vec::new() };
    pick_closest(c, |c| chains_in_a_row_board(c, &palette, most)).to_input_file(c)
}

pub(super) fn build_two_rows(c: &mut Choices, growth: u32) -> String {
    let most = draw_side(c, 2, growth);
    let palette = draw_palette(c, 1);
    layout::lay_out_two_rows(c, &palette, most, (1, 2), most).to_input_file(c)
}

pub(super) fn build_frame(c: &mut Choices, growth: u32) -> String {
    let palette = draw_palette(c, 1);
    framed_board(c, growth, &palette).to_input_file(c)
}

/// Lengths around the threshold of control, on the closest of several boards.
pub(super) fn build_contest(c: &mut Choices, growth: u32) -> String {
    let palette = draw_contested_palette(c);
    let board = pick_closest(c, |c| {
        if c.draw_chance(1, 2) {
            let most = draw_side(c, 2, growth);
            layout::lay_out_two_rows(c, &palette, most, (1, 2), most)
        } else {
            framed_board(c, growth, &palette)
        }
    });
    board.to_input_file(c)
}

/// Chains of three and loops of four, a long chain among them now and then.
pub(super) fn build_threes_and_fours(c: &mut Choices, growth: u32) -> String {
    let long = 4 + c.draw_index(8);
    let palette = LengthPalette { chains: vec![3, 3, 3, long], loops: vec![2, 2, 2, 3] };
    let most = draw_side(c, 2, growth);
    let loops = [(1, 4), (1, 2), (3, 4)][c.draw_index(3)];
    pick_closest(c, |c| layout::lay_out_two_rows(c, &palette, most, loops, most)).to_input_file(c)
}

pub(super) fn build_fours(c: &mut Choices, growth: u32) -> String {
    let (rows, cols) = (draw_even_side(c, 2, growth), draw_even_side(c, 2, growth));
    let palette = LengthPalette { chains: Vec::new(), loops: vec![2] };
    loops_only_board(c, (rows, cols), &palette).to_input_file(c)
}

pub(super) fn build_loops(c: &mut Choices, growth: u32) -> String {
    let (rows, cols) = (draw_even_side(c, 2, growth), draw_side(c, 2, growth));
    let palette = LengthPalette {
        chains: Vec::new(),
        loops: [vec![2, 3], vec![3], vec![2, 4], vec![3, 4]][c.draw_index(4)].clone(),
    };
    loops_only_board(c, (rows, cols), &palette).to_input_file(c)
}

fn loops_only_board(c: &mut Choices, (rows, cols): (usize, usize), palette: &LengthPalette) -> DotBoard {
    let mut board = DotBoard::new(rows, cols);
    layout::add_inner_loops(c, &mut board, (0, 0), (rows, cols), palette);
    board
}

/// Nested loops; the outermost ring can consist of chains.
pub(super) fn build_rings(c: &mut Choices, growth: u32) -> String {
    let (rows, cols) = (draw_even_side(c, 2, growth), draw_side(c, 2, growth));
    let (rows, cols) = (rows.min(cols).max(2) / 2 * 2, cols.max(rows));
    let mut board = DotBoard::new(rows, cols);
    let palette = draw_palette(c, 1);
    let chains = c.draw_chance(1, 2);
    for depth in 0..rows / 2 {
        if depth == 0 && chains {
            layout::add_border_chains(c, &mut board, &palette);
        } else {
            board.add_loop(&layout::ring_cells((depth, depth), rows - 2 * depth, cols - 2 * depth));
        }
    }
    board.to_input_file(c)
}

pub(super) fn build_snake(c: &mut Choices, growth: u32) -> String {
    let (rows, cols) = (draw_side(c, 1, growth), draw_side(c, 1, growth));
    layout::lay_out_snake(c, rows, cols).to_input_file(c)
}

pub(super) fn build_lines(c: &mut Choices, growth: u32) -> String {
    let (rows, cols) = (draw_side(c, 1, growth), draw_side(c, 1, growth));
    layout::lay_out_lines(c, rows, cols).to_input_file(c)
}

/// A frame with some dots rotated, so that parts are joined and split.
pub(super) fn build_disturbed(c: &mut Choices, growth: u32) -> String {
    let palette = draw_contested_palette(c);
    let mut board = framed_board(c, growth, &palette);
    let times = 1 + c.draw_index(board.rows * board.cols / 2);
    rotate_random_dots(c, &mut board, times);
    board.to_input_file(c)
}
