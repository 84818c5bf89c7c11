//! Describes what makes an input slow.

use super::ReportOptions;
use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::wrap_words;
use super::units::format_duration;
use rebut_diagnostics::group_thousands;

use rebut_engine::event::{CountedWork, FindingSlowness, SlowCause, SlowCauseKind, WorkMargins};

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

/// Renders how far the time limit is from the counted work of the submissions.
pub(crate) fn render_work_margins(margins: &WorkMargins, options: &ReportOptions) -> Vec<StyledLine> {
    let head = || StyledLine::new().add_styled(TextStyle::Bold, "work").add_plain("  ");
    work_margin_facts(margins).iter().flat_map(|fact| wrap_words(head(), fact, options.width)).collect()
}

/// Describes the work on both sides of the time limit, and which limits keep the required factors.
pub(crate) fn work_margin_facts(margins: &WorkMargins) -> Vec<String> {
    let WorkMargins { costliest, slow, .. } = margins;
    let mut facts = vec![format!("{} needs the most within the limit: {}", costliest.submission, work_text(costliest))];
    facts.extend(slow.iter().map(|slow| {
        let times = format_ratio(slow.times_accepted);
        let (name, work) = (&slow.run.submission, work_text(&slow.run));
        format!("{name} must exceed it: {work}, {times} times those of submissions within it")
    }));
    facts.extend(limit_facts(margins));
    if !margins.uncounted.is_empty() {
        facts.push(format!("not counted, because of the language: {}", margins.uncounted.join(", ")));
    }
    facts
}

/// `at least 12,000,000 branches on secret/3`.
fn work_text(run: &CountedWork) -> String {
    let at_least = if run.was_stopped { "at least " } else { "" };
    format!("{at_least}{} branches on {}", group_thousands(run.work.into()), run.test_case)
}

/// Compares the limit with the work, converted to time.
fn limit_facts(margins: &WorkMargins) -> Vec<String> {
    let (Some(below), Some((smallest, largest))) = (margins.limit_to_costliest, margins.limits_ms) else {
        return vec!["the submissions within the limit are too fast here to say how long a branch takes".to_owned()];
    };
    let limit = format_duration(margins.cpu_time_limit_ms);
    let above = margins.least_slow_to_limit.map(|times| {
        format!(", and the least work of those that must exceed it takes {} times the limit", format_ratio(times))
    });
    let margins_text = format!(
        "the limit of {limit} is {} times the time of {}{}",
        format_ratio(below),
        margins.costliest.submission,
        above.unwrap_or_default()
    );
    let advice = match largest {
        Some(largest) if largest < smallest => {
            "by these counts, no limit keeps the required factors on both sides".to_owned()
        }
        Some(largest) => format!(
            "by these counts, limits from {} to {} keep the required factors on both sides",
            format_duration(smallest),
            format_duration(largest)
        ),
        None => format!("by these counts, limits from {} on keep the required factor", format_duration(smallest)),
    };
    vec![margins_text, advice]
}

/// Formats a ratio with two significant digits, or as a whole number.
fn format_ratio(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.1}") } else { group_thousands(ratio as u128) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_engine::event::SlowWork;

    #[test]
    fn margins_state_the_work_and_the_limits_that_keep_the_factors() {
        let run = |submission: &str, work, was_stopped| CountedWork {
            submission: submission.to_owned(),
            test_case: "secret/3".to_owned(),
            work,
            was_stopped,
        };
        let margins = WorkMargins {
            costliest: run("accepted/a.cpp", 1_500_000, false),
            slow: vec![SlowWork { run: run("time_limit_exceeded/b.cpp", 90_000_000, true), times_accepted: 60.4 }],
            cpu_time_limit_ms: 1000,
            us_per_million: Some(1000.0),
            limit_to_costliest: Some(9.5),
            least_slow_to_limit: Some(6.0),
            limits_ms: Some((300, Some(4000))),
            uncounted: vec!["accepted/c.py".to_owned()],
        };
        assert_eq!(
            work_margin_facts(&margins),
            [
                "accepted/a.cpp needs the most within the limit: 1,500,000 branches on secret/3",
                "time_limit_exceeded/b.cpp must exceed it: at least 90,000,000 branches on secret/3, 60 times those of \
                 submissions within it",
                "the limit of 1.0 s is 9.5 times the time of accepted/a.cpp, and the least work of those that must \
                 exceed it takes 6.0 times the limit",
                "by these counts, limits from 0.3 s to 4.0 s keep the required factors on both sides",
                "not counted, because of the language: accepted/c.py",
            ]
        );
        let narrow = WorkMargins { limits_ms: Some((300, Some(200))), uncounted: Vec::new(), ..margins.clone() };
        assert!(work_margin_facts(&narrow).iter().any(|fact| fact.contains("no limit keeps")));
        let fast = WorkMargins { limits_ms: None, limit_to_costliest: None, ..margins };
        assert!(work_margin_facts(&fast).iter().any(|fact| fact.contains("too fast here")));
    }

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
