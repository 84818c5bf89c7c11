//! Detects state leaks: failures that no test case causes alone, because state is left over from an earlier case.

use crate::inputs::{InputSource, split_into_cases};
use crate::judging::JudgeSetup;
use crate::predicate::{FailureTarget, passes_input};
use crate::tuning::MAX_LEAK_CASES;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::value::Value;

/// Returns the number of test cases of a failing input, if there are several and each of them passes alone.
pub(crate) fn find_state_leak(
    judge_setup: &JudgeSetup,
    inputs: &InputSource<'_>,
    target: &FailureTarget,
    input: &[u8],
) -> Option<usize> {
    let format = inputs.input_format()?;
    let value = read_input(format, input).ok()?;
    let cases = split_into_cases(format, &value);
    let passes = |case: &Value| passes_input(judge_setup, target, &print_value(format, case));
    ((2..=MAX_LEAK_CASES).contains(&cases.len()) && cases.iter().all(passes)).then_some(cases.len())
}
