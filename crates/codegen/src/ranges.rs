//! The ranges of expressions that a format declares.

use rebut_format::language::{Expr, FieldId, Format, Interval, RangeSource, evaluate_range};

/// The ranges of fields, independent of any input.
struct DeclaredRanges<'f>(&'f Format);

impl RangeSource for DeclaredRanges<'_> {
    fn format(&self) -> &Format {
        self.0
    }

    fn value_range(&self, field: FieldId) -> Interval {
        self.0.field(field).range
    }

    fn free_length_range(&self, field: FieldId) -> Interval {
        self.0.field(field).length
    }
}

/// Returns the range of an expression, independent of any input.
pub(crate) fn declared_range(format: &Format, expr: &Expr) -> Interval {
    evaluate_range(expr, &DeclaredRanges(format))
}
