//! How numbers are written in inputs.

use super::digits::Tape;
use super::interval::Interval;
use super::model::{Decimals, Field, Kind};

/// Appends a number of a field as the input writes it: digits, a real with its point, or one of the words.
pub fn push_number(out: &mut Vec<u8>, field: &Field, number: i128) {
    match &field.kind {
        Kind::Words(words) => {
            let word = usize::try_from(number).ok().and_then(|i| words.get(i));
            out.extend_from_slice(word.map_or(b"?", Vec::as_slice));
        }
        Kind::Real(decimals) => push_real(out, number, *decimals),
        Kind::Number | Kind::Text(_) => {
            let mut tape = Tape::new(out);
            tape.number(number);
            tape.flush();
        }
    }
}

/// Appends a number that stands multiplied by `10^most`, with as few digits after the point as are allowed.
fn push_real(out: &mut Vec<u8>, number: i128, decimals: Decimals) {
    let digits = format!("{:0width$}", number.unsigned_abs(), width = decimals.most as usize + 1);
    let (whole, after) = digits.split_at(digits.len() - decimals.most as usize);
    let kept = after.trim_end_matches('0').len().max(decimals.least as usize);
    if number < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(whole.as_bytes());
    if kept > 0 {
        out.push(b'.');
        out.extend_from_slice(&after.as_bytes()[..kept]);
    }
}

/// A number that stands multiplied by a power of ten, as people write it.
pub fn shown(number: i128, decimals: u32) -> String {
    let mut text = Vec::new();
    push_real(&mut text, number, Decimals { least: 0, most: decimals });
    String::from_utf8_lossy(&text).into_owned()
}

/// A range of a field's values: `1..300`, or the words that they stand for.
pub fn shown_range(field: &Field, range: Interval) -> String {
    match field.words() {
        Some(words) => words.iter().map(|w| String::from_utf8_lossy(w)).collect::<Vec<_>>().join(" "),
        None => format!("{}..{}", field.number_text(range.lo), field.number_text(range.hi)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_are_as_short_as_allowed() {
        let text = |number, least, most| {
            let mut out = Vec::new();
            push_real(&mut out, number, Decimals { least, most });
            String::from_utf8_lossy(&out).into_owned()
        };
        assert_eq!(text(1_500_000, 6, 6), "1.500000");
        assert_eq!(text(1_500_000, 0, 6), "1.5");
        assert_eq!(text(-5, 0, 6), "-0.000005");
        assert_eq!(text(2_000_000, 0, 6), "2");
        assert_eq!(text(2_000_000, 1, 6), "2.0");
        assert_eq!(text(0, 2, 2), "0.00");
        assert_eq!(text(7, 0, 0), "7");
    }
}
