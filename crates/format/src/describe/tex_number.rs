//! Numbers as statements write them: $10^9$, $2 \cdot 10^5$, $2^{30}$.

use crate::language::format_decimal;

/// Minimum exponent from which a power of ten is easier to read than its zeros.
const MIN_DECIMAL_EXPONENT: u32 = 4;

/// Minimum exponent from which powers of two are written as such; smaller ones are not recognized as powers.
const MIN_BINARY_EXPONENT: u32 = 20;

/// Returns a number that is multiplied by a power of ten, in TeX.
pub(super) fn number_tex(value: i128, decimals: u32) -> String {
    let scale = 10_i128.checked_pow(decimals).unwrap_or(1);
    if value % scale == 0 {
        let value = value / scale;
        return round_number_tex(value).unwrap_or_else(|| value.to_string());
    }
    if value == 1 && decimals >= MIN_DECIMAL_EXPONENT {
        format!("10^{{-{decimals}}}")
    } else {
        format_decimal(value, decimals)
    }
}

/// Returns a power of two, or a small multiple of a power of ten.
fn round_number_tex(value: i128) -> Option<String> {
    if value >= 1 << MIN_BINARY_EXPONENT && value.count_ones() == 1 {
        return Some(format!("2^{{{}}}", value.trailing_zeros()));
    }
    let (mut digits, mut zeros) = (value, 0);
    while digits >= 10 && digits % 10 == 0 {
        digits /= 10;
        zeros += 1;
    }
    let exponent = |zeros: u32| if zeros < 10 { format!("10^{zeros}") } else { format!("10^{{{zeros}}}") };
    match digits {
        _ if zeros < MIN_DECIMAL_EXPONENT => None,
        1 => Some(exponent(zeros)),
        2..=9 => Some(format!("{digits} \\cdot {}", exponent(zeros))),
        11..=99 => Some(format!("{}.{} \\cdot {}", digits / 10, digits % 10, exponent(zeros + 1))),
        _ => None,
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
            (1 << 30, "2^{30}"),
            (10_i128.pow(18), "10^{18}"),
        ];
        for (value, text) in cases {
            assert_eq!(number_tex(*value, 0), *text);
        }
        assert_eq!(number_tex(520, 2), "5.2");
        assert_eq!(number_tex(500, 2), "5");
        assert_eq!(number_tex(1, 9), "10^{-9}");
    }
}
