//! How often a constraint holds by itself: inputs are made as if it were not there, and judged with it.

use super::Effort;
use crate::diagnostic::Span;
use crate::format::{Class, Format};
use crate::generate::{Plan, Settings, generate};
use crate::validate::violation;
use rebut_generators::Choices;

/// `holds by itself in 197 of 200 inputs`
pub(super) fn acceptance(format: &Format, statement: Span, effort: Effort) -> String {
    let mut without = format.clone();
    without.constraints.retain(|c| {
        let inside = statement.start <= c.span.start && c.span.end <= statement.end;
        !inside || c.class != Class::Residual
    });
    let plan = Plan::new(&without);
    let (mut made, mut held) = (0, 0);
    for stream in 0..effort.samples {
        let growth = u32::try_from(stream * 100 / effort.samples.max(1)).unwrap_or(100);
        let settings = Settings { growth, most_elements: 300, most_cases: 10, ..Settings::default() };
        let Ok(input) = generate(&plan, &mut Choices::fresh(effort.seed, stream), &settings) else { continue };
        made += 1;
        held += u64::from(violation(format, &input.value).is_none());
    }
    format!("holds by itself in {held} of {made} inputs")
}
