//! Input formats of contest problems, inferred from sample inputs.
//!
//! [`infer_format`] searches for the layouts that fit all samples ([`Sample`]), and ranks them by the length of their
//! descriptions: three numbers after a 3 are more likely an array of that length than three fields. A statement gives
//! names and bounds, and supports the layouts that it describes. If another layout is nearly as likely, the
//! result has a [`Question`]: nothing is decided in silence.
//!
//! ```
//! use rebut_infer::{Sample, infer_format};
//!
//! let samples = [Sample::new("1.in", b"4\n1 5 2 2\n"), Sample::new("2.in", b"6\n3 1 4 1 5 9\n")];
//! let found = infer_format(&samples, Some("1 ≤ n ≤ 2⋅10^5, then n integers a_1, ..., a_n (1 ≤ a_i ≤ 10^9)"))?;
//! assert_eq!(found.text, "n\na[n]\nwhere:\n    1 <= n <= 2*10^5\n    1 <= a <= 10^9\n");
//! assert!(found.questions.is_empty());
//! # Ok::<(), rebut_infer::InferError>(())
//! ```

mod bound_terms;
mod cost;
mod draft;
mod guesses;
mod inference;
mod layout;
mod lines;
mod naming;
mod render;
mod rules;
mod sample;
mod search;
mod state;
mod stated_chains;
mod statement;
mod statement_differences;
mod structures;

pub use inference::{InferError, Inference, Question, has_guesses, infer_format};
pub use sample::Sample;
pub use statement_differences::{BoundDifference, NameDifference, find_bound_differences, find_name_differences};

#[cfg(test)]
mod tests;
