//! Boards of chains and loops, laid out systematically.
//!
//! A uniformly random board is hardly ever valid, and its answer depends on one large part or on the number of small
//! ones. Wrong programs are distinguished by many small parts of two or three lengths, and by a losing player with a
//! choice between giving away a chain or a loop. So lengths are drawn from small palettes, and the closest of several
//! boards is used.

use super::board::DotBoard;
use super::draws::{index, size};
use super::layout::{self, LengthPalette};
use super::{rebut, value};

/// The smallest and the largest side of boards.
pub type SideRange = (i64, i64);

/// The sides that the problem allows.
pub const ALL_SIDES: SideRange = (1, 200);

/// A name and a function that draws a case.
pub type Kind = (&'static str, fn(SideRange) -> DotBoard);

/// All kinds of cases.
pub const KINDS: [Kind; 14] = [
    ("anywhere", draw_anywhere),
    ("tilted", draw_tilted),
    ("one-row", draw_one_row),
    ("switches", draw_switches),
    ("two-rows", draw_two_rows),
    ("frame", draw_frame),
    ("contest", draw_contest),
    ("threes-and-fours", draw_threes_and_fours),
    ("fours", draw_fours),
    ("loops", draw_loops),
    ("rings", draw_rings),
    ("snake", draw_snake),
    ("lines", draw_lines),
    ("disturbed", draw_disturbed),
];

/// Number of boards from which the closest is picked.
const MAX_ATTEMPTS: usize = 6;

/// Draws a side of at least `least`.
fn draw_side(least: i64, range: SideRange) -> usize {
    size(range.0.max(least), range.1.max(least)) as usize
}

/// Draws an even side.
fn draw_even_side(least: i64, range: SideRange) -> usize {
    2 * size((range.0.max(least) + 1) / 2, range.1.max(least) / 2) as usize
}

/// Draws one to three lengths of chains and of loops: small ones, and sometimes a large one.
fn draw_palette(least_chain: usize) -> LengthPalette {
    let draw = |least: usize, near: usize| {
        let kinds = 1 + index(3);
        let length = || least + if rebut::chance(1, 6) { index(20) } else { index(near) };
        (0..kinds).map(|_| length()).collect()
    };
    LengthPalette { chains: draw(least_chain, 4), loops: draw(2, 3) }
}

/// Draws lengths for which keeping control may or may not pay.
fn draw_contested_palette() -> LengthPalette {
    let chains = [&[3][..], &[3, 4], &[3, 3, 5], &[3, 6], &[2, 3], &[4, 5]];
    let loops = [&[2][..], &[2, 3], &[3], &[2, 2, 4], &[2, 5]];
    let pick = |lists: &[&[usize]]| rebut::choice(lists).to_vec();
    LengthPalette { chains: pick(&chains), loops: pick(&loops) }
}

/// Draws several boards, and returns the one with the result closest to a draw or a narrow win.
fn pick_closest(draw: impl Fn() -> DotBoard) -> DotBoard {
    let aim = rebut::next(-2, 2);
    let first = draw();
    let mut best = ((value::deficit_of_mover(&first.collect_parts()) - aim).abs(), first);
    for _ in 1..MAX_ATTEMPTS {
        if best.0 <= 1 {
            break;
        }
        let board = draw();
        let distance = (value::deficit_of_mover(&board.collect_parts()) - aim).abs();
        if distance < best.0 {
            best = (distance, board);
        }
    }
    best.1
}

/// Rotates the sides around random dots.
fn rotate_random_dots(board: &mut DotBoard, times: usize) {
    if board.rows < 2 || board.cols < 2 {
        return;
    }
    for _ in 0..times {
        let dot = (1 + index(board.rows - 1), 1 + index(board.cols - 1));
        board.rotate_dot(dot);
    }
}

/// Chains around the border, loops inside.
fn framed_board(range: SideRange, palette: &LengthPalette) -> DotBoard {
    let (rows, cols) = (draw_even_side(2, range), draw_side(2, range));
    // Between the borders of three columns is one column, in which no loop fits.
    let cols = if cols == 3 && rows > 2 { 4 } else { cols };
    let mut board = DotBoard::new(rows, cols);
    layout::add_border_chains(&mut board, palette);
    if rows > 2 && cols > 2 {
        layout::add_inner_loops(&mut board, (1, 1), (rows - 2, cols - 2), palette);
    }
    board
}

/// Any board at all, from a colouring of its dots.
fn draw_anywhere(range: SideRange) -> DotBoard {
    let (rows, cols) = (draw_side(1, range), draw_side(1, range));
    DotBoard::from_colouring(rows, cols, |free, _| free[index(free.len())])
}

/// If most dots have the colour of the one diagonally above, parts are long; if few do, they are short.
fn draw_tilted(range: SideRange) -> DotBoard {
    let (rows, cols) = (draw_side(1, range), draw_side(1, range));
    let (same, of) = ([1, 3, 5, 9][index(4)], 10);
    DotBoard::from_colouring(rows, cols, |free, corner| {
        let at = free.iter().position(|colour| *colour == corner).unwrap_or(0);
        if rebut::chance(same, of) { free[at] } else { free[(at + 1) % free.len()] }
    })
}

/// Chains of few lengths on a single row.
fn draw_one_row(range: SideRange) -> DotBoard {
    let most = draw_side(1, range);
    let palette = draw_palette(1);
    chains_in_a_row_board(&palette, most)
}

fn chains_in_a_row_board(palette: &LengthPalette, most: usize) -> DotBoard {
    let (mut lengths, mut rest) = (Vec::new(), most);
    while rest > 0 {
        lengths.push(palette.draw_chain_length().min(rest));
        rest -= lengths[lengths.len() - 1];
    }
    layout::lay_out_one_row(&lengths)
}

/// Chains of one and two decide which player has to open the first long one.
fn draw_switches(range: SideRange) -> DotBoard {
    let most = draw_side(1, range);
    let chains = [&[1, 2, 3][..], &[1, 3], &[2, 3, 4], &[1, 2], &[1, 2, 5]];
    let palette = LengthPalette { chains: chains[index(chains.len())].to_vec(), loops: Vec::new() };
    pick_closest(|| chains_in_a_row_board(&palette, most))
}

/// Chains and loops of few lengths on two rows.
fn draw_two_rows(range: SideRange) -> DotBoard {
    let most = draw_side(2, range);
    let palette = draw_palette(1);
    layout::lay_out_two_rows(&palette, most, (1, 2), most)
}

/// Chains of few lengths around the border, loops inside.
fn draw_frame(range: SideRange) -> DotBoard {
    let palette = draw_palette(1);
    framed_board(range, &palette)
}

/// Lengths around the threshold of control, on the closest of several boards.
fn draw_contest(range: SideRange) -> DotBoard {
    let palette = draw_contested_palette();
    pick_closest(|| {
        // Two rows are a side of two.
        if range.0 <= 2 && rebut::chance(1, 2) {
            let most = draw_side(2, range);
            layout::lay_out_two_rows(&palette, most, (1, 2), most)
        } else {
            framed_board(range, &palette)
        }
    })
}

/// Chains of three and loops of four, a long chain among them now and then.
fn draw_threes_and_fours(range: SideRange) -> DotBoard {
    let long = 4 + index(8);
    let palette = LengthPalette { chains: vec![3, 3, 3, long], loops: vec![2, 2, 2, 3] };
    let most = draw_side(2, range);
    let loops = [(1, 4), (1, 2), (3, 4)][index(3)];
    pick_closest(|| layout::lay_out_two_rows(&palette, most, loops, most))
}

/// Loops of four and nothing else.
fn draw_fours(range: SideRange) -> DotBoard {
    let (rows, cols) = (draw_even_side(2, range), draw_even_side(2, range));
    let palette = LengthPalette { chains: Vec::new(), loops: vec![2] };
    loops_only_board((rows, cols), &palette)
}

/// Loops of four, six and eight and nothing else.
fn draw_loops(range: SideRange) -> DotBoard {
    let (rows, cols) = (draw_even_side(2, range), draw_side(2, range));
    let palette =
        LengthPalette { chains: Vec::new(), loops: [vec![2, 3], vec![3], vec![2, 4], vec![3, 4]][index(4)].clone() };
    loops_only_board((rows, cols), &palette)
}

fn loops_only_board((rows, cols): (usize, usize), palette: &LengthPalette) -> DotBoard {
    let mut board = DotBoard::new(rows, cols);
    layout::add_inner_loops(&mut board, (0, 0), (rows, cols), palette);
    board
}

/// Nested loops; the outermost ring can consist of chains.
fn draw_rings(range: SideRange) -> DotBoard {
    let (rows, cols) = (draw_even_side(2, range), draw_side(2, range));
    let (rows, cols) = (rows.min(cols).max(2) / 2 * 2, cols.max(rows));
    let mut board = DotBoard::new(rows, cols);
    let palette = draw_palette(1);
    let chains = rebut::chance(1, 2);
    for depth in 0..rows / 2 {
        if depth == 0 && chains {
            layout::add_border_chains(&mut board, &palette);
        } else {
            board.add_loop(&layout::ring_cells((depth, depth), rows - 2 * depth, cols - 2 * depth));
        }
    }
    board
}

/// One chain through the whole board.
fn draw_snake(range: SideRange) -> DotBoard {
    let (rows, cols) = (draw_side(1, range), draw_side(1, range));
    layout::lay_out_snake(rows, cols)
}

/// Every row one chain.
fn draw_lines(range: SideRange) -> DotBoard {
    let (rows, cols) = (draw_side(1, range), draw_side(1, range));
    layout::lay_out_lines(rows, cols)
}

/// A frame with some dots rotated, so that parts are joined and split.
fn draw_disturbed(range: SideRange) -> DotBoard {
    let palette = draw_contested_palette();
    let mut board = framed_board(range, &palette);
    let times = 1 + index(board.rows * board.cols / 2);
    rotate_random_dots(&mut board, times);
    board
}
