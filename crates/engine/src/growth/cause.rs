//! Decides whether a submission is too slow by its growth, or only by a constant factor.

use crate::event::{GrowthMeasured, GrowthReport, SlowCause, SlowCauseKind};

/// Exponents that differ by less are those of the same growth: a logarithm changes them by about a tenth.
const MIN_EXPONENT_DIFFERENCE: f64 = 0.25;

/// Compares the growth of a submission that is too slow with that of an accepted one, along the axis on which it is
/// predicted to be the furthest behind. Returns `None` if no axis was measured for both.
pub fn find_slow_cause(slow: &GrowthReport, accepted: &GrowthReport) -> Option<SlowCause> {
    let pairs = slow.rows.iter().filter_map(|row| Some((row, worst_row_of_axis(accepted, &row.axis)?)));
    let ratio =
        |(slow, accepted): &(&GrowthMeasured, &GrowthMeasured)| slow.predicted_work / accepted.predicted_work.max(1.0);
    let (slow_row, accepted_row) = pairs.max_by(|a, b| ratio(a).total_cmp(&ratio(b)))?;
    let difference = middle_exponent(slow_row) - middle_exponent(accepted_row);
    let kind =
        if difference >= MIN_EXPONENT_DIFFERENCE { SlowCauseKind::Growth } else { SlowCauseKind::ConstantFactor };
    Some(SlowCause {
        submission: slow.submission.clone(),
        accepted: accepted.submission.clone(),
        kind,
        axis: slow_row.axis.clone(),
        law: slow_row.law.clone(),
        accepted_law: accepted_row.law.clone(),
        max_size: slow_row.max_size,
        times_accepted: ratio(&(slow_row, accepted_row)),
    })
}

/// Returns the row of an axis on which the most work is predicted. The rows are in that order.
fn worst_row_of_axis<'r>(report: &'r GrowthReport, axis: &str) -> Option<&'r GrowthMeasured> {
    report.rows.iter().find(|row| row.axis == axis)
}

fn middle_exponent(row: &GrowthMeasured) -> f64 {
    f64::midpoint(row.exponents.0, row.exponents.1)
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn report(name: &str, rows: &[(&str, f64, f64)]) -> GrowthReport {
        let to_row = |(axis, exponent, work): &(&str, f64, f64)| GrowthMeasured {
            submission: name.to_owned(),
            axis: (*axis).to_owned(),
            shape: String::new(),
            unit: "branches",
            law: Some(format!("n^{exponent}")),
            error: 0.0,
            exponents: (exponent - 0.05, exponent + 0.05),
            samples: Vec::new(),
            fitted: Vec::new(),
            max_size: 1000,
            predicted_work: *work,
            predicted_ms: 0.0,
            is_measured: false,
            time_limit_ms: 1000,
        };
        GrowthReport { submission: name.to_owned(), rows: rows.iter().map(to_row).collect() }
    }

    #[test]
    fn growth_and_constant_factors_are_told_apart() {
        let accepted = report("ac", &[("n", 1.1, 1e7), ("m", 1.0, 1e6)]);
        let cause = |rows: &[(&str, f64, f64)]| find_slow_cause(&report("tle", rows), &accepted).expect("a cause");
        let by_growth = cause(&[("n", 2.0, 1e10), ("m", 1.0, 3e6)]);
        assert_eq!((by_growth.kind, by_growth.axis.as_str()), (SlowCauseKind::Growth, "n"));
        let by_constant = cause(&[("m", 1.05, 9e7), ("n", 1.1, 2e7)]);
        assert_eq!((by_constant.kind, by_constant.axis.as_str()), (SlowCauseKind::ConstantFactor, "m"));
        assert_eq!(find_slow_cause(&report("tle", &[("k", 2.0, 1e9)]), &accepted), None);
    }
}
