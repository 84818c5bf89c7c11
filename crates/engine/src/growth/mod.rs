//! How the cost of a submission grows with the sizes of its input.
//!
//! [`measure_growth`] counts the work of runs on inputs of growing sizes, for each size of the format and for the shapes
//! that cost the most, and fits a law to it. The choice of sizes and the fit are pure.

mod axes;
mod fit;
mod ladder;
mod margins;
mod measure;

pub(crate) use axes::{NumberChoice, SizeAxis, narrow_format};
#[cfg(test)]
pub(crate) use fit::{GrowthLaw, GrowthPoint};
pub(crate) use ladder::{Ladder, MeasuredWork, WorkLimit, WorkMeter};
pub use margins::{MarginPlan, MarginSubmission, TimedCase, measure_margins};
pub use measure::{GrowthPlan, GrowthSubmission, find_slow_cause, measure_growth};
