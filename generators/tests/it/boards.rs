use rebut_generators::{BOARD_SHAPES, Choices};

#[test]
fn every_shape_keeps_size_and_alphabet() {
    for shape in BOARD_SHAPES {
        for (rows, cols) in [(0, 0), (0, 4), (4, 0), (1, 1), (1, 2), (2, 1), (1, 30), (30, 1), (2, 2), (3, 5), (17, 16)]
        {
            for letters in [0, 1, 2, 3, 26, 256, 1000] {
                for seed in 0..15 {
                    let board = shape.draw_board(&mut Choices::from_seed(seed, 0), rows, cols, letters);
                    let fits = |letter: &u8| usize::from(*letter) < letters.max(1);
                    let whole = board.len() == rows && board.iter().all(|row| row.len() == cols);
                    assert!(whole && board.iter().flatten().all(fits), "{} seed {seed} {rows}x{cols}", shape.name);
                }
            }
        }
    }
}

/// Returns the number of regions of cells with this letter that are connected by sides.
fn regions(board: &[Vec<u8>], letter: u8) -> usize {
    let mut left: Vec<(usize, usize)> = Vec::new();
    for (r, row) in board.iter().enumerate() {
        left.extend(row.iter().enumerate().filter(|(_, cell)| **cell == letter).map(|(k, _)| (r, k)));
    }
    let mut count = 0;
    while let Some(start) = left.pop() {
        count += 1;
        let mut reached = vec![start];
        while let Some((r, k)) = reached.pop() {
            let (near, far) = left.into_iter().partition(|(i, j)| i.abs_diff(r) + j.abs_diff(k) == 1);
            reached.extend::<Vec<_>>(near);
            left = far;
        }
    }
    count
}

fn count(board: &[Vec<u8>], letter: u8) -> usize {
    board.iter().flatten().filter(|cell| **cell == letter).count()
}

/// Draws many boards of the shape and checks that each has the property.
fn check(name: &str, has_property: impl Fn(&[Vec<u8>]) -> bool) {
    let shape = BOARD_SHAPES.iter().find(|shape| shape.name == name).unwrap();
    for seed in 0..60 {
        let board = shape.draw_board(&mut Choices::from_seed(seed, 1), 11, 13, 2);
        assert!(has_property(&board), "{name} seed {seed}: {board:?}");
    }
}

#[test]
fn shapes_have_their_properties() {
    let all = 11 * 13;
    check("one-letter", |board| count(board, board[0][0]) == all);
    check("one-odd-cell", |board| count(board, 0) == 1 || count(board, 1) == 1);
    check("half-and-half", |board| regions(board, 0) <= 1 && regions(board, 1) <= 1);
    check("checkerboard", |board| (0..11).all(|r| (0..13).all(|k| board[r][k] == board[0][(r + k) % 2])));
    check("equal-rows", |board| board.iter().all(|row| *row == board[0]));
    check("border", |board| count(board, board[0][0]) == 2 * 13 + 2 * 9);
    check("rectangle", |board| regions(board, 0) <= 1 || regions(board, 1) <= 1);
    check("cross", |board| [0, 1].iter().any(|letter| count(board, *letter) == 11 + 13 - 1));
    check("line", |board| [0, 1].iter().any(|letter| (1..=13).contains(&count(board, *letter))));
    check("line-with-gap", |board| [0, 1].iter().any(|letter| count(board, *letter) <= 12));
    check("wall-with-gap", |board| [10, 12].iter().any(|wall| (0..2).any(|letter| count(board, letter) == *wall)));
    check("serpentine", |board| regions(board, board[0][0]) == 1 && count(board, board[0][0]) == 6 * 13 + 5);
    check("maze", |board| regions(board, board[0][0]) == 1 && count(board, board[0][0]) == 2 * 6 * 7 - 1);
    check("spiral", |board| regions(board, board[0][0]) == 1 && count(board, board[0][0]) > all / 2);
    check("rooms", |board| regions(board, board[0][0]) == 1);
}
