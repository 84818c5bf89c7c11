//! Boards of dots and boxes.
//!
//!     gamedots [KIND,KIND... CASES LEAST MOST] SEED
//!
//! Prints boards of these kinds in turn, with sides from LEAST to MOST, as many as fit. Without them, which
//! is how a search uses it, the number and the kinds are drawn.

mod board;
mod draws;
mod kinds;
mod layout;
#[allow(dead_code, reason = "the file has functions for every generator")]
mod rebut {
    include!(concat!(env!("REBUT_INCLUDE"), "/rebut.rs"));
}
mod value;

use kinds::{ALL_SIDES, KINDS, Kind};

/// Maximum sum of the squares of all boards.
const MAX_TOTAL: usize = 40_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [names, cases, least, most, _seed] => {
            let kinds: Vec<&Kind> = names.split(',').map(find_kind).collect();
            let sides = (parse_number(least), parse_number(most));
            print_cases(parse_number(cases) as usize, |case| kinds[case % kinds.len()].1(sides));
        }
        _ => print_cases(1 + rebut::size(0, 40) as usize, |_| rebut::choice(&KINDS).1(ALL_SIDES)),
    }
}

fn find_kind(name: &str) -> &'static Kind {
    KINDS.iter().find(|kind| kind.0 == name).unwrap_or_else(|| panic!("there is no kind `{name}`"))
}

fn parse_number(text: &str) -> i64 {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is not a number"))
}

fn print_cases(cases: usize, draw_case: impl Fn(usize) -> board::DotBoard) {
    let (mut text, mut count, mut total) = (String::new(), 0, 0);
    for case in 0..cases {
        let board = draw_case(case);
        total += board.squares();
        if total > MAX_TOTAL {
            break;
        }
        count += 1;
        text += &board.to_case();
    }
    print!("{count}\n{text}");
}
