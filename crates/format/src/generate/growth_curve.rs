//! The geometric growth of sizes and ranges during a search.

/// Interpolates geometrically between `least` at growth 0 and `most` at growth 100. Rounded down, the result is
/// a whole number wherever the exact one is.
///
/// The standard library's powers differ in their last digits between platforms. These do not, so the same seed
/// makes the same input everywhere.
pub(super) fn interpolate_growth(least: f64, most: f64, growth: u32) -> f64 {
    // More than the relative error of log2 and exp2.
    const ROUNDING: f64 = 1.0 + 1.0 / (1_u64 << 44) as f64;
    let share = f64::from(growth.min(100)) / 100.0;
    least * libm::exp2(share * libm::log2((most / least).max(1.0))) * ROUNDING
}

#[cfg(test)]
mod tests {
    use super::interpolate_growth;

    #[test]
    fn growth_starts_and_ends_at_the_given_values() {
        for most in [8.0, 9.0, 100.0, 1e9, 1e18, 1e30] {
            assert_eq!(interpolate_growth(8.0, most, 0) as i128, 8, "{most}");
            let end = interpolate_growth(8.0, most, 100);
            assert!(end >= most && end < most * 1.000_001, "{most}: {end}");
            assert!(
                (0..100)
                    .all(|growth| interpolate_growth(8.0, most, growth) <= interpolate_growth(8.0, most, growth + 1)),
                "{most}"
            );
        }
        assert_eq!(interpolate_growth(8.0, 3.0, 50) as i128, 8, "a maximum below the minimum is ignored");
    }

    #[test]
    fn whole_results_are_whole() {
        for root in 1..2000_u32 {
            let square = 8.0 * f64::from(root) * f64::from(root);
            assert_eq!(interpolate_growth(8.0, square, 50) as i128, 8 * i128::from(root));
        }
        // 0.3 has no exact binary representation, so the unrounded power is slightly too small.
        assert_eq!(interpolate_growth(8.0, 8192.0, 30) as i128, 64);
    }

    #[test]
    fn the_digits_are_the_same_everywhere() {
        let some = [(1e6, 37), (1e9, 50), (1e18, 63), (3e17, 99)]
            .map(|(most, growth)| interpolate_growth(8.0, most, growth).to_bits());
        assert_eq!(some, [4648621704656279407, 4680882870064971655, 4781552438222871827, 4865784749389434941]);
    }
}
