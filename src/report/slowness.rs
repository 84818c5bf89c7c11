//! Describes what makes an input slow.

use super::ReportOptions;
use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::wrap_words;
use rebut_diagnostics::group_thousands;
use rebut_engine::event::{FindingSlowness, SlowCause, SlowCauseKind};

/// Renders what makes an input slow, and the keys of a test in a recipe that makes it again.
pub(crate) fn render_slowness(slowness: &FindingSlowness, options: &ReportOptions) -> Vec<StyledLine> {
    let indent = || StyledLine::from_plain("  ");
    let mut lines: Vec<StyledLine> =
        slowness_facts(slowness).iter().flat_map(|fact| wrap_words(indent(), fact, options.width)).collect();
    lines.push(indent().add_styled(TextStyle::Dim, "as a test in a recipe:"));
    let keys = slowness.recipe.lines();
    lines.extend(keys.map(|key| StyledLine::from_plain("    ").add_styled(TextStyle::Copyable, key).into_uncut()));
    lines
}

/// Describes the growth of the work on such inputs, how it compares with others, and from which size on it is too much.
pub(crate) fn slowness_facts(slowness: &FindingSlowness) -> Vec<String> {
    let FindingSlowness { axis, law, ordinary_law, times_ordinary, times_reference, .. } = slowness;
    let number = |number: u64| group_thousands(number.into());
    let law = law.as_ref().map(|law| {
        let ordinary = ordinary_law.as_ref().map(|law| format!("; on random inputs as {law}")).unwrap_or_default();
        format!("the work grows as {law} in {axis}{ordinary}")
    });
    let reference = times_reference
        .map(|times| format!(", and {} times that of the reference on the same input", format_ratio(times)))
        .unwrap_or_default();
    let compared = format!(
        "at {axis} = {} it is {} times that of random inputs of this size{reference}",
        number(slowness.compared_size),
        format_ratio(*times_ordinary)
    );
    let smallest =
        slowness.smallest_size.map(|smallest| format!("it fails from about {axis} = {} on", number(smallest)));
    law.into_iter().chain([compared]).chain(smallest).collect()
}

/// Renders why a submission of a package is too slow.
pub(crate) fn render_slow_cause(cause: &SlowCause, options: &ReportOptions) -> Vec<StyledLine> {
    let head = StyledLine::new().add_styled(TextStyle::Bold, &cause.submission).add_plain("  ");
    wrap_words(head, &slow_cause_text(cause), options.width)
}

/// `too slow by growth: n^2 against n log n in n; at 100,000 about 90 times the work of fast.cpp`.
pub(crate) fn slow_cause_text(cause: &SlowCause) -> String {
    let SlowCause { accepted, axis, .. } = cause;
    let laws = match (&cause.law, &cause.accepted_law) {
        (Some(law), Some(accepted_law)) => format!("{law} against {accepted_law} in {axis}"),
        _ => format!("in {axis}"),
    };
    let verdict = match cause.kind {
        SlowCauseKind::Growth => "too slow by growth",
        SlowCauseKind::ConstantFactor => "too slow only by a constant factor",
    };
    let (times, size) = (format_ratio(cause.times_accepted), group_thousands(cause.max_size.into()));
    format!("{verdict}: {laws}; at {size} about {times} times the work of {accepted}")
}

/// Formats a ratio with two significant digits, or as a whole number.
fn format_ratio(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.1}") } else { group_thousands(ratio as u128) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_state_law_ratios_and_smallest_size() {
        let slowness = FindingSlowness {
            axis: "n".to_owned(),
            size: 200_000,
            smallest_size: Some(88_855),
            law: Some("n^2".to_owned()),
            ordinary_law: Some("n log n".to_owned()),
            compared_size: 11_023,
            times_ordinary: 201.3,
            times_reference: Some(3.12),
            recipe: String::new(),
        };
        let facts = slowness_facts(&slowness);
        assert_eq!(
            facts,
            [
                "the work grows as n^2 in n; on random inputs as n log n",
                "at n = 11,023 it is 201 times that of random inputs of this size, and 3.1 times that of the reference on \
                 the same input",
                "it fails from about n = 88,855 on",
            ]
        );
        let unknown = FindingSlowness { law: None, smallest_size: None, times_reference: None, ..slowness };
        assert_eq!(slowness_facts(&unknown), ["at n = 11,023 it is 201 times that of random inputs of this size"]);
    }
}
