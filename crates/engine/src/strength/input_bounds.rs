//! The numbers that bound the inputs of a format.

use rebut_format::language::{FieldId, Format, reachable_range};
use std::collections::BTreeSet;

/// Returns the ends of the ranges of all numbers and lengths, ascending.
pub fn input_bounds(format: &Format) -> Vec<i128> {
    let of_field = |id: FieldId| {
        let field = format.field(id);
        let range = field.alphabet().is_none().then(|| reachable_range(format, id));
        let length = field.has_free_length().then_some(field.length);
        range.into_iter().chain(length).flat_map(|range| [range.lo, range.hi])
    };
    let bounds: BTreeSet<i128> = (0..format.fields.len()).map(FieldId).flat_map(of_field).collect();
    bounds.into_iter().collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use rebut_diagnostics::SourceText;

    #[test]
    fn bounds_of_numbers_and_lengths_are_found() {
        let text = "n; a[n]; s where 1 <= n <= 1000; -5 <= a <= 10^9; 1 <= len(s) <= 70; s over \"a-z\"";
        let (format, _) = Format::parse(&SourceText::new("test", text)).unwrap();
        assert_eq!(input_bounds(&format), [-5, 1, 70, 1000, 1_000_000_000]);
    }
}
