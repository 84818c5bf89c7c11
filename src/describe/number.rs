//! Numbers as statements write them: $10^9$, $2 \cdot 10^5$, $10^9 + 7$, $2^{31} - 1$.

use crate::format::shown;

/// From here on a power of ten is easier to read than its zeros.
const LEAST_POWER: u32 = 4;

/// Powers of two below this exponent are not recognised at sight.
const LEAST_BINARY: u32 = 20;

/// A number that stands multiplied by a power of ten, in TeX.
pub(super) fn number(value: i128, decimals: u32) -> String {
    let scale = 10_i128.checked_pow(decimals).unwrap_or(1);
    if value % scale == 0 {
        return whole(value / scale);
    }
    if value == 1 && decimals >= LEAST_POWER { format!("10^{{-{decimals}}}") } else { shown(value, decimals) }
}

fn whole(value: i128) -> String {
    let magnitude = value.abs();
    if value < 0 {
        // -(10^9 + 1) is -10^9 - 1.
        let positive = whole(magnitude);
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
    if let Some(text) = rounded(magnitude) {
        return text;
    }
    for offset in [1, -1, 2, -2, 3, 7, 9, -7] {
        let near = magnitude - offset;
        let sign = if offset < 0 { '-' } else { '+' };
        if let Some(text) = power(near).filter(|_| near >= 1_000_000) {
            return format!("{text} {sign} {}", offset.abs());
        }
    }
    grouped(magnitude)
}

/// A number that is a power, or a small multiple of a power of ten.
fn rounded(value: i128) -> Option<String> {
    if let Some(text) = power(value) {
        return Some(text);
    }
    let (mut digits, mut zeros) = (value, 0);
    while digits >= 10 && digits % 10 == 0 {
        digits /= 10;
        zeros += 1;
    }
    match digits {
        1..=9 if zeros >= LEAST_POWER => Some(format!("{digits} \\cdot 10^{}", exponent(zeros))),
        11..=99 if zeros >= LEAST_POWER => {
            let exponent = exponent(zeros + 1);
            Some(format!("{}.{} \\cdot 10^{exponent}", digits / 10, digits % 10))
        }
        _ => None,
    }
}

/// A power of ten or of two.
fn power(value: i128) -> Option<String> {
    let of = |base: i128, least: u32| {
        (least..128).take_while(|e| base.checked_pow(*e).is_some_and(|p| p <= value)).find(|e| base.pow(*e) == value)
    };
    let ten = of(10, LEAST_POWER).map(|e| format!("10^{}", exponent(e)));
    ten.or_else(|| of(2, LEAST_BINARY).map(|e| format!("2^{}", exponent(e))))
}

fn exponent(value: u32) -> String {
    if value < 10 { value.to_string() } else { format!("{{{value}}}") }
}

/// Digits in groups of three, from six digits on.
fn grouped(value: i128) -> String {
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

/// A small number in words, any other as a formula.
pub(super) fn counted(value: i128) -> String {
    const WORDS: [&str; 11] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    match usize::try_from(value).ok().and_then(|i| WORDS.get(i)) {
        Some(word) => (*word).to_owned(),
        None => format!("${}$", number(value, 0)),
    }
}

/// `first`, `second`; larger ones as formulas.
pub(super) fn ordinal(value: usize) -> String {
    const WORDS: [&str; 10] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    match value.checked_sub(1).and_then(|i| WORDS.get(i)) {
        Some(word) => (*word).to_owned(),
        None => "next".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_as_in_statements() {
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
            assert_eq!(whole(*value), *text);
        }
        assert_eq!(number(520, 2), "5.2");
        assert_eq!(number(500, 2), "5");
        assert_eq!(number(1, 9), "10^{-9}");
    }
}
