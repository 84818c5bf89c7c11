//! Formatting of numbers as inputs write them.

use super::byte_writer::ByteWriter;
use super::format::{DecimalPlaces, Field, FieldKind};
use super::interval::Interval;

/// Appends a number of a field as inputs write it: digits, a real with its point, or a word.
pub fn push_number(out: &mut Vec<u8>, field: &Field, number: i128) {
    match &field.kind {
        FieldKind::Words(words) => {
            let word = usize::try_from(number).ok().and_then(|i| words.get(i));
            out.extend_from_slice(word.map_or(b"?", Vec::as_slice));
        }
        FieldKind::Real(decimals) => push_decimal(out, number, *decimals),
        FieldKind::Number | FieldKind::Text(_) => {
            let mut writer = ByteWriter::new(out);
            writer.write_number(number);
            writer.flush_buffer();
        }
    }
}

impl Field {
    /// Formats a number of this field as it appears in an input.
    pub fn format_number(&self, number: i128) -> String {
        let mut text = Vec::new();
        push_number(&mut text, self, number);
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// Appends a number that is stored multiplied by `10^max`, with as few digits after the point as allowed.
fn push_decimal(out: &mut Vec<u8>, number: i128, decimals: DecimalPlaces) {
    let digits = format!("{:0width$}", number.unsigned_abs(), width = decimals.max as usize + 1);
    let (whole, after) = digits.split_at(digits.len() - decimals.max as usize);
    let kept = after.trim_end_matches('0').len().max(decimals.min as usize);
    if number < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(whole.as_bytes());
    if kept > 0 {
        out.push(b'.');
        out.extend_from_slice(&after.as_bytes()[..kept]);
    }
}

/// Formats a number that is stored multiplied by a power of ten.
pub fn format_decimal(number: i128, decimals: u32) -> String {
    let mut text = Vec::new();
    push_decimal(&mut text, number, DecimalPlaces { min: 0, max: decimals });
    String::from_utf8_lossy(&text).into_owned()
}

/// Formats a range of a field's values: `1..300`, or the words that the numbers stand for.
pub fn format_range(field: &Field, range: Interval) -> String {
    match field.word_choices() {
        Some(words) => words.iter().map(|w| String::from_utf8_lossy(w)).collect::<Vec<_>>().join(" "),
        None => format!("{}..{}", field.format_number(range.lo), field.format_number(range.hi)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_are_as_short_as_allowed() {
        let text = |number, least, most| {
            let mut out = Vec::new();
            push_decimal(&mut out, number, DecimalPlaces { min: least, max: most });
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
