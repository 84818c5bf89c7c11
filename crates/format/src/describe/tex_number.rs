//! Numbers as statements write them: $10^9$, $2 \cdot 10^5$, $10^9 + 7$, $2^{31} - 1$.

use crate::language::format_decimal;

/// Minimum exponent from which a power of ten is easier to read than its zeros.
const MIN_DECIMAL_EXPONENT: u32 = 4;

/// Minimum exponent from which powers of two are written as such; smaller ones are not recognized as powers.
const MIN_BINARY_EXPONENT: u32 = 20;

/// Returns a number that is multiplied by a power of ten, in TeX.
pub(super) fn number_tex(value: i128, decimals: u32) -> String {
    let scale = 10_i128.checked_pow(decimals).unwrap_or(1);
    if value % scale == 0 {
        return whole_number_tex(value / scale);
    }
    if value == 1 && decimals >= MIN_DECIMAL_EXPONENT {
        format!("10^{{-{decimals}}}")
    } else {
        format_decimal(value, decimals)
    }
}

fn whole_number_tex(value: i128) -> String {
    let magnitude = value.abs();
    if value < 0 {
        // -(10^9 + 1) is -10^9 - 1.
        let positive = whole_number_tex(magnitude);
        let flipped: String = positive
            .chars()
            .map(|c| match c {
                '+' => '-',
                '-' => '+',
                c => c,
            })
            .collect();
        return format!("-{flipped}");
    }
    if let Some(text) = round_number_tex(magnitude) {
        return text;
    }
    for offset in [1, -1, 2, -2, 3, 7, 9, -7] {
        let near = magnitude - offset;
        let sign = if offset < 0 { '-' } else { '+' };
        if let Some(text) = power_tex(near).filter(|_| near >= 1_000_000) {
            return format!("{text} {sign} {}", offset.abs());
        }
    }
    group_digits(magnitude)
}

/// Returns a power, or a small multiple of a power of ten.
fn round_number_tex(value: i128) -> Option<String> {
    if let Some(text) = power_tex(value) {
        return Some(text);
    }
    let (mut digits, mut zeros) = (value, 0);
    while digits >= 10 && digits % 10 == 0 {
        digits /= 10;
        zeros += 1;
    }
    match digits {
        1..=9 if zeros >= MIN_DECIMAL_EXPONENT => Some(format!("{digits} \\cdot 10^{}", exponent_tex(zeros))),
        11..=99 if zeros >= MIN_DECIMAL_EXPONENT => {
            let exponent = exponent_tex(zeros + 1);
            Some(format!("{}.{} \\cdot 10^{exponent}", digits / 10, digits % 10))
        }
        _ => None,
    }
}

/// Returns a power of ten or of two.
fn power_tex(value: i128) -> Option<String> {
    let of = |base: i128, least: u32| {
        (least..128).take_while(|e| base.checked_pow(*e).is_some_and(|p| p <= value)).find(|e| base.pow(*e) == value)
    };
    let ten = of(10, MIN_DECIMAL_EXPONENT).map(|e| format!("10^{}", exponent_tex(e)));
    ten.or_else(|| of(2, MIN_BINARY_EXPONENT).map(|e| format!("2^{}", exponent_tex(e))))
}

fn exponent_tex(value: u32) -> String {
    if value < 10 { value.to_string() } else { format!("{{{value}}}") }
}

/// Groups digits by three, from six digits on.
fn group_digits(value: i128) -> String {
    let digits = value.to_string();
    if digits.len() < 6 {
        return digits;
    }
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push_str("\\,");
        }
        text.push(digit);
    }
    text
}

/// Returns a small number in words, any other as a formula.
pub(super) fn count_in_words(value: i128) -> String {
    const WORDS: [&str; 11] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    match usize::try_from(value).ok().and_then(|i| WORDS.get(i)) {
        Some(word) => (*word).to_owned(),
        None => format!("${}$", number_tex(value, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_in_statements() {
        let cases: &[(i128, &str)] = &[
            (0, "0"),
            (1000, "1000"),
            (10_000, "10^4"),
            (200_000, "2 \\cdot 10^5"),
            (150_000, "1.5 \\cdot 10^5"),
            (15_007, "15007"),
            (1_000_000_007, "10^9 + 7"),
            (-1_000_000_000, "-10^9"),
            (-1_000_000_001, "-10^9 - 1"),
            (999_999_999, "10^9 - 1"),
            (998_244_353, "998\\,244\\,353"),
            (2_147_483_647, "2^{31} - 1"),
            (1 << 30, "2^{30}"),
            (10_i128.pow(18), "10^{18}"),
        ];
        for (value, text) in cases {
            assert_eq!(whole_number_tex(*value), *text);
        }
        assert_eq!(number_tex(520, 2), "5.2");
        assert_eq!(number_tex(500, 2), "5");
        assert_eq!(number_tex(1, 9), "10^{-9}");
    }
}
