//! `balanced(s)`: a text in which brackets match each other; other characters do not matter.

use super::{Board, LetterSpace, PropertyFault, PropertyGoal, PropertyMisuse, TextProperty};
use rebut_generators::Choices;

/// The pairs of brackets.
const PAIRS: [(u8, u8); 4] = [(b'(', b')'), (b'[', b']'), (b'{', b'}'), (b'<', b'>')];

/// Texts with two pairs are the shortest in which pairs can be nested or side by side.
const MIN_STRUCTURED_LENGTH: usize = 4;

/// The property of being a balanced bracket sequence.
pub(super) struct Balanced;

impl TextProperty for Balanced {
    fn name(&self) -> &'static str {
        "balanced"
    }

    fn dimensions(&self) -> usize {
        1
    }

    fn takes_letters(&self) -> bool {
        false
    }

    fn check_alphabet(&self, alphabet: &[u8], _: &[u8]) -> Result<(), PropertyMisuse> {
        let pairs = || PAIRS.iter().map(|pair| (alphabet.contains(&pair.0), alphabet.contains(&pair.1)));
        let message = match (pairs().any(|(open, close)| open && close), pairs().any(|(open, close)| open != close)) {
            (true, false) => return Ok(()),
            (_, true) => "a bracket of the alphabet lacks its counterpart",
            (false, false) => "the alphabet has no brackets",
        };
        Err(PropertyMisuse { message: message.to_owned(), help: "add both: `s over \"()\"`".to_owned() })
    }

    fn length_divisor(&self, alphabet: &[u8]) -> i128 {
        if alphabet.iter().all(|letter| is_bracket(*letter)) { 2 } else { 1 }
    }

    fn find_fault(&self, board: &Board<'_>) -> Option<PropertyFault> {
        match find_imbalance(board)? {
            Imbalance::Wrong(at, message) => Some(PropertyFault { at: Some(at), message }),
            Imbalance::Open(at, open) => {
                Some(PropertyFault { at: Some(at), message: format!("`{}` is never closed", char::from(open)) })
            }
        }
    }

    fn can_complete(&self, board: &Board<'_>) -> bool {
        !matches!(find_imbalance(board), Some(Imbalance::Wrong(..)))
    }

    fn repair_board(&self, rows: &mut [Vec<u8>], space: &LetterSpace<'_>, choices: &mut Choices) {
        for row in rows {
            repair_parity(row, space, choices);
            match_brackets(row);
        }
    }

    fn near_violations(&self, board: &Board<'_>) -> Vec<Vec<Vec<u8>>> {
        // As many opening brackets as closing ones, but in the wrong order: counting them does not show it.
        let crossed = |row: &[u8]| {
            let first = row.iter().position(|letter| closing_of(*letter).is_some())?;
            let mut depth = 0;
            let partner = row[first..].iter().position(|letter| {
                depth += i32::from(closing_of(*letter).is_some()) - i32::from(is_closing(*letter));
                depth == 0
            })?;
            let mut row = row.to_vec();
            row.swap(first, first + partner);
            Some(row)
        };
        board.rows.iter().filter_map(|row| crossed(row)).map(|row| vec![row]).collect()
    }

    fn violation_name(&self) -> &'static str {
        "not-balanced"
    }

    fn coverage_goals(&self, space: &LetterSpace<'_>, (_, columns): (usize, usize)) -> Vec<PropertyGoal> {
        if columns < MIN_STRUCTURED_LENGTH {
            return Vec::new();
        }
        let mut goals = vec![
            PropertyGoal { description: "nested without siblings", is_reached: is_nested },
            PropertyGoal { description: "pairs side by side", is_reached: is_flat },
        ];
        if space.alphabet.iter().filter(|letter| closing_of(**letter).is_some()).count() > 1 {
            goals.push(PropertyGoal { description: "different brackets nested", is_reached: is_mixed });
        }
        goals
    }
}

/// A reason why brackets do not match, at a row and a column.
enum Imbalance {
    /// Nothing that follows can repair it.
    Wrong((usize, usize), String),
    /// This bracket is not closed yet.
    Open((usize, usize), u8),
}

fn find_imbalance(board: &Board<'_>) -> Option<Imbalance> {
    board.rows.iter().enumerate().find_map(|(row, text)| {
        let mut open: Vec<(usize, u8)> = Vec::new();
        for (column, letter) in text.iter().enumerate() {
            if closing_of(*letter).is_some() {
                open.push((column, *letter));
            } else if is_closing(*letter) {
                let closed = char::from(*letter);
                match open.pop() {
                    Some((_, last)) if closing_of(last) == Some(*letter) => {}
                    Some((_, last)) => {
                        let message = format!("`{closed}` closes `{}`", char::from(last));
                        return Some(Imbalance::Wrong((row, column), message));
                    }
                    None => return Some(Imbalance::Wrong((row, column), format!("`{closed}` closes nothing"))),
                }
            }
        }
        open.last().map(|(column, letter)| Imbalance::Open((row, *column), *letter))
    })
}

/// Returns the bracket that closes this one, if it opens a pair.
fn closing_of(letter: u8) -> Option<u8> {
    PAIRS.iter().find(|pair| pair.0 == letter).map(|pair| pair.1)
}

fn is_closing(letter: u8) -> bool {
    PAIRS.iter().any(|pair| pair.1 == letter)
}

fn is_bracket(letter: u8) -> bool {
    counterpart(letter).is_some()
}

/// Returns the other bracket of a pair.
fn counterpart(letter: u8) -> Option<u8> {
    let opening = PAIRS.iter().find(|pair| pair.1 == letter).map(|pair| pair.0);
    closing_of(letter).or(opening)
}

/// Makes the number of brackets even: by another character in place of one, or by another length.
fn repair_parity(row: &mut Vec<u8>, space: &LetterSpace<'_>, choices: &mut Choices) {
    let brackets: Vec<usize> = (0..row.len()).filter(|at| is_bracket(row[*at])).collect();
    if brackets.len().is_multiple_of(2) {
        return;
    }
    let at = brackets[choices.draw_index(brackets.len())];
    let others: Vec<u8> = space.alphabet.iter().copied().filter(|letter| !is_bracket(*letter)).collect();
    let allows = |length: usize| space.lengths.as_ref().is_some_and(|lengths| lengths.contains(&length));
    if let Some(other) = others.first() {
        row[at] = *other;
    } else if allows(row.len() - 1) {
        row.remove(at);
    } else if allows(row.len() + 1) {
        row.insert(at, row[at]);
    }
}

/// Replaces brackets by others, so that each is closed by its counterpart.
fn match_brackets(row: &mut [u8]) {
    let mut left = row.iter().filter(|letter| is_bracket(**letter)).count();
    let mut expected: Vec<u8> = Vec::new();
    for letter in row.iter_mut().filter(|letter| is_bracket(**letter)) {
        left -= 1;
        let wants_to_open = closing_of(*letter).is_some();
        let can_open = expected.len() < left;
        match expected.last().copied() {
            // There must be room to close everything that is open.
            Some(closing) if !wants_to_open || !can_open => {
                *letter = closing;
                expected.pop();
            }
            _ => {
                let opening = if wants_to_open { *letter } else { counterpart(*letter).unwrap_or(*letter) };
                *letter = opening;
                expected.extend(closing_of(opening));
            }
        }
    }
}

/// Returns the brackets of each row.
fn brackets_of(board: &Board<'_>) -> impl Iterator<Item = Vec<u8>> {
    board.rows.iter().map(|row| row.iter().copied().filter(|letter| is_bracket(*letter)).collect())
}

/// Returns true if no pair of a text has a sibling: `((()))`.
fn is_nested(board: &Board<'_>) -> bool {
    let is_nested = |row: &Vec<u8>| row[..row.len() / 2].iter().all(|letter| closing_of(*letter).is_some());
    brackets_of(board).any(|row| row.len() >= MIN_STRUCTURED_LENGTH && is_nested(&row))
}

/// Returns true if no pair of a text is inside of another: `()()()`.
fn is_flat(board: &Board<'_>) -> bool {
    let is_flat = |row: &Vec<u8>| row.iter().step_by(2).all(|letter| closing_of(*letter).is_some());
    brackets_of(board).any(|row| row.len() >= MIN_STRUCTURED_LENGTH && is_flat(&row))
}

/// Returns true if a pair is directly inside of a pair of other brackets: `([])`.
fn is_mixed(board: &Board<'_>) -> bool {
    let nested = |pair: &[u8]| pair.iter().all(|letter| closing_of(*letter).is_some()) && pair[0] != pair[1];
    brackets_of(board).any(|row| row.windows(2).any(nested))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault_of(text: &[u8]) -> Option<PropertyFault> {
        Balanced.find_fault(&Board::new(&[text], b""))
    }

    fn fault(column: usize, message: &str) -> Option<PropertyFault> {
        Some(PropertyFault { at: Some((0, column)), message: message.to_owned() })
    }

    #[test]
    fn brackets_match_their_counterparts() {
        assert_eq!(fault_of(b""), None);
        assert_eq!(fault_of(b"x(y[z]{}<>)"), None);
        assert_eq!(fault_of(b"())"), fault(2, "`)` closes nothing"));
        assert_eq!(fault_of(b"([)]"), fault(2, "`)` closes `[`"));
        assert_eq!(fault_of(b"(()"), fault(0, "`(` is never closed"));
        assert!(Balanced.can_complete(&Board::new(&[b"(("], b"")));
        assert!(!Balanced.can_complete(&Board::new(&[b"())("], b"")));
    }

    /// Repairs each text over an alphabet of up to six characters.
    fn check_repairs(alphabet: &[u8], lengths: Option<std::ops::RangeInclusive<usize>>) {
        for length in 0..=6_usize {
            for number in 0..alphabet.len().pow(length as u32) {
                let letter = |at: usize| alphabet[number / alphabet.len().pow(at as u32) % alphabet.len()];
                let text: Vec<u8> = (0..length).map(letter).collect();
                let space = LetterSpace { alphabet, letters: b"", lengths: lengths.clone() };
                let mut rows = [text.clone()];
                Balanced.repair_board(&mut rows, &space, &mut Choices::from_draws(Vec::new()));
                let is_possible = alphabet.len() > 2 || length % 2 == 0 || lengths.is_some();
                assert_eq!(fault_of(&rows[0]).is_none(), is_possible, "{text:?} {rows:?}");
                assert!(fault_of(&text).is_some() || rows[0] == text, "{text:?} was fine");
            }
        }
    }

    #[test]
    fn every_text_is_repaired() {
        check_repairs(b"()", None);
        check_repairs(b"()", Some(0..=6));
        check_repairs(b"()", Some(1..=9));
        check_repairs(b"()[]", Some(0..=6));
        check_repairs(b"a()", None);
    }

    #[test]
    fn violations_have_the_right_counts() {
        let near = Balanced.near_violations(&Board::new(&[b"x(())()"], b""));
        assert_eq!(near, [[b"x)()(()".to_vec()]]);
        assert_eq!(fault_of(&near[0][0]), fault(1, "`)` closes nothing"));
        assert!(Balanced.near_violations(&Board::new(&[b"x"], b"")).is_empty());
    }

    #[test]
    fn goals_tell_structures_apart() {
        let reached = |text: &[u8]| {
            let space = LetterSpace { alphabet: b"()[]", letters: b"", lengths: None };
            let goals = Balanced.coverage_goals(&space, (1, 10));
            goals.iter().map(|goal| (goal.is_reached)(&Board::new(&[text], b""))).collect::<Vec<bool>>()
        };
        assert_eq!(reached(b"((a))"), [true, false, false]);
        assert_eq!(reached(b"()[]"), [false, true, false]);
        assert_eq!(reached(b"([])()"), [false, false, true]);
        assert_eq!(reached(b"()"), [false, false, false]);
    }
}
