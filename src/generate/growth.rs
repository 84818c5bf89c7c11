//! How large things are that grow with a run.

/// Where a growth of 0 to 100 percent stands between two ends: the first doubles, so to speak, until it is the second.
/// Rounded down, it is a whole number wherever the exact result is one.
///
/// Powers of the standard library differ in their last digits between platforms; these do not, and the same seed makes the
/// same input everywhere.
pub(super) fn between(least: f64, most: f64, growth: u32) -> f64 {
    // What log2 and exp2 are off by is less than this.
    const ROUNDING: f64 = 1.0 + 1.0 / (1_u64 << 44) as f64;
    let share = f64::from(growth.min(100)) / 100.0;
    least * libm::exp2(share * libm::log2((most / least).max(1.0))) * ROUNDING
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn it_begins_at_one_end_and_ends_at_the_other() {
        for most in [8.0, 9.0, 100.0, 1e9, 1e18, 1e30] {
            assert_eq!(between(8.0, most, 0) as i128, 8, "{most}");
            let end = between(8.0, most, 100);
            assert!(end >= most && end < most * 1.000_001, "{most}: {end}");
            assert!((0..100).all(|growth| between(8.0, most, growth) <= between(8.0, most, growth + 1)), "{most}");
        }
        assert_eq!(between(8.0, 3.0, 50) as i128, 8, "what is smaller than the least does not count");
    }

    #[test]
    fn whole_results_are_whole() {
        for root in 1..2000_u32 {
            let square = 8.0 * f64::from(root) * f64::from(root);
            assert_eq!(between(8.0, square, 50) as i128, 8 * i128::from(root));
        }
        // 0.3 is no number of a machine, so the power of its own is a little too small.
        assert_eq!(between(8.0, 8192.0, 30) as i128, 64);
    }

    #[test]
    fn the_digits_are_the_same_everywhere() {
        let some =
            [(1e6, 37), (1e9, 50), (1e18, 63), (3e17, 99)].map(|(most, growth)| between(8.0, most, growth).to_bits());
        assert_eq!(some, [4648621704656279407, 4680882870064971655, 4781552438222871827, 4865784749389434941]);
    }
}
