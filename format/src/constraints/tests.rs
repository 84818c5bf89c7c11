//! What follows from properties of texts, through all that uses them.
#![allow(clippy::unwrap_used, reason = "tests")]

use crate::coverage::{Coverage, CoverageGoalKind};
use crate::describe::{Markup, describe_format};
use crate::invalid::{BrokenRule, generate_invalid_inputs};
use crate::language::Format;
use crate::read::read_input;
use crate::validate::{explain_violation, find_violation};
use crate::{generate_input, shrink_input};

const BRACKETS: &str = "n; repeat n: s where 1 <= n <= 4; s over \"()[]\"; 1 <= len(s) <= 12; balanced(s)";
const FIXED_LENGTH: &str = "n; s[n] where 1 <= n <= 40; s over \"(){}x\"; balanced(s)";
const EVEN_LENGTH: &str = "n; s[n] where 1 <= n <= 40; s over \"()\"; balanced(s)";
const BOARD: &str =
    "R C; board[R][C] where 1 <= R, C <= 9; board over \".#S\"; count(board, 'S') = 1; connected(board, \".S\")";

fn format(text: &str) -> Format {
    Format::from_text(text).unwrap()
}

#[test]
fn inputs_with_properties_are_generated_and_reach_all_goals() {
    for text in [BRACKETS, FIXED_LENGTH, EVEN_LENGTH, BOARD.replace("count(board, 'S') = 1; ", "").as_str(), BOARD] {
        let format = format(text);
        let mut coverage = Coverage::new(&format);
        for seed in 0..300 {
            let input = generate_input(&format, seed).unwrap();
            coverage.count_input(&read_input(&format, &input).unwrap());
        }
        let goals: Vec<_> = coverage.goals().filter(|goal| goal.kind == CoverageGoalKind::Structure).collect();
        // A count of letters may rule out any of them.
        assert_eq!(goals.is_empty(), text == BOARD, "{text}");
        let missed: Vec<_> = goals.iter().filter(|goal| goal.inputs == 0).collect();
        assert!(missed.is_empty(), "{text}: {missed:?}");
    }
}

#[test]
fn violations_are_located() {
    let explain = |text: &str, input: &str| {
        let format = format(text);
        let value = read_input(&format, input.as_bytes()).unwrap();
        let problem = explain_violation(&format, &value, &find_violation(&format, &value).unwrap());
        (problem.message, input[problem.span.start..].to_owned(), problem.caret)
    };
    let (message, rest, caret) = explain(BRACKETS, "2\n()\n([)]\n");
    assert_eq!((&*message, &*rest, &*caret), ("`balanced(s)` does not hold", ")]\n", "`)` closes `[`"));
    let (message, rest, caret) = explain(BOARD, "2 3\n.S#\n##.\n");
    assert_eq!((&*message, &*rest), ("`connected(board, \".S\")` does not hold", ".\n"));
    assert_eq!(caret, "row 2 column 3 cannot be reached from row 1 column 1");
}

#[test]
fn shrunk_inputs_keep_properties() {
    let brackets = format(BRACKETS);
    let nested = |input: &[u8]| input.windows(2).any(|pair| pair == b"[(");
    assert_eq!(shrink_input(&brackets, b"2\n()[]\n([(())]())[]\n", nested).unwrap(), b"1\n[()]\n");
    let board = format(BOARD);
    let corners = |input: &[u8]| input.iter().filter(|cell| **cell == b'.').count() >= 3;
    let shrunk = shrink_input(&board, b"3 4\n#..#\n.S#.\n....\n", corners).unwrap();
    assert!(matches!(&shrunk[..], b"1 4\n...S\n" | b"2 2\n..\n.S\n" | b"1 4\nS...\n"), "{shrunk:?}");
}

#[test]
fn invalid_inputs_break_nothing_else() {
    for (text, name) in [(BRACKETS, "s-not-balanced"), (FIXED_LENGTH, "s-not-balanced"), (BOARD, "board-not-connected")]
    {
        let format = format(text);
        let invalid = generate_invalid_inputs(&format, 1, 100, &|| false).unwrap();
        let input = invalid.inputs.iter().find(|input| input.name == name).unwrap();
        let is_alone =
            matches!(&input.broken_rule, BrokenRule::Constraint { also_broken, .. } if also_broken.is_empty());
        assert!(is_alone, "{input:?}");
    }
}

#[test]
fn statements_describe_properties() {
    let statement = |text: &str| describe_format(&format(text), Markup::Markdown);
    assert!(!statement(EVEN_LENGTH).contains("bmod"), "{}", statement(EVEN_LENGTH));
    assert!(statement(BRACKETS).contains("$s$ is a balanced bracket sequence:"), "{}", statement(BRACKETS));
    let board = statement(BOARD);
    assert!(board.contains("The cells of $\\mathit{board}$ that are `.` or `S` are connected:"), "{board}");
}
