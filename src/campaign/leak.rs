//! Failures that no test case causes alone: something is left over from the case before.

use super::bench::Bench;
use super::inputs::{Inputs, single_cases};
use super::probe::{Target, passes};
use crate::print::print;
use crate::read::read;
use crate::value::Value;

/// More cases than this are not run one by one: shrinking leaves two or three of a true leak.
const MOST_CASES: usize = 12;

/// How many test cases a failing input has, if there are several and each of them passes alone.
pub(super) fn leaking_cases(bench: &Bench, inputs: &Inputs<'_>, target: &Target, input: &[u8]) -> Option<usize> {
    let format = inputs.format()?;
    let value = read(format, input).ok()?;
    let cases = single_cases(format, &value);
    let passes = |case: &Value| passes(bench, target, &print(format, case));
    ((2..=MOST_CASES).contains(&cases.len()) && cases.iter().all(passes)).then_some(cases.len())
}
