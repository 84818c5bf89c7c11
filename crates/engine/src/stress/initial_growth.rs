//! Measures how large the first inputs of a search should be.
//!
//! Where a run takes a fraction of a millisecond, a search makes thousands of inputs in a second, and begins with tiny ones.
//! Where the programs set up large arrays, or a virtual machine, it makes ten, and all of them would be tiny, although larger
//! ones take hardly longer. So it measures once, before it begins, up to which size they do.
//!
//! Input `i` of a search depends on the seed, `i` and this size alone, which is one of a few, printed, and can be stated.

use super::stress_plan::StressPlan;
use crate::inputs::GeneratedInput;
use crate::judging::ReferenceAnswer;
use crate::tuning::{CLEARLY_EXPENSIVE_RUN_US, EXPENSIVE_RUN_US, MAX_FILLED_PERCENT, MEASURING_SHARE, TRIED_GROWTHS};
use rebut_diagnostics::Result;

/// Returns the largest of a few growths for which a run of the reference and the submissions takes hardly more processor time than
/// on the first input of the search, which is one of the smallest: 0 if that takes some milliseconds only, or if a tenth of
/// the time of the search does not suffice to tell.
///
/// # Errors
/// Returns an error if a program cannot be started.
pub fn measure_initial_growth(plan: &StressPlan<'_>) -> Result<u32> {
    let cancel = &plan.judge_setup.cancel;
    // A program may sleep on its first input.
    let _phase = plan.time_budget.map(|budget| cancel.begin_phase(budget / MEASURING_SHARE));
    let growth = measure_growth(plan);
    if cancel.should_stop() { Ok(0) } else { growth }
}

fn measure_growth(plan: &StressPlan<'_>) -> Result<u32> {
    // If there is no input, the search reports why.
    let Ok(Some(tiny)) = plan.inputs.make_input(plan.seed, 0) else { return Ok(0) };
    let mut price_us = time_runs(plan, &tiny)?;
    if (EXPENSIVE_RUN_US..CLEARLY_EXPENSIVE_RUN_US).contains(&price_us) {
        // The first run may have started a server.
        price_us = price_us.min(time_runs(plan, &tiny)?);
    }
    if price_us < EXPENSIVE_RUN_US {
        return Ok(0);
    }
    let mut filled = 0;
    for growth in TRIED_GROWTHS {
        let Ok(Some(input)) = plan.inputs.make_input_of_growth(plan.seed, 1, growth) else { break };
        if time_runs(plan, &input)? > price_us.saturating_mul(MAX_FILLED_PERCENT) / 100 {
            break;
        }
        filled = growth;
    }
    Ok(filled)
}

/// Returns the processor time of one run of each program on an input, in microseconds: the maximum if the reference gives no
/// answer.
fn time_runs(plan: &StressPlan<'_>, input: &GeneratedInput) -> Result<u64> {
    let (answer, mut time_us) = plan.judge_setup.run_reference_timed(&input.bytes)?;
    let ReferenceAnswer::Known(answer) = answer else { return Ok(u64::MAX) };
    for submission in &plan.submissions {
        let run = plan.judge_setup.run_and_judge(&submission.program, &input.bytes, &answer)?;
        time_us = time_us.saturating_add(run.outcome.cpu_time_us);
    }
    Ok(time_us)
}
