//! Chooses how large the first inputs of a search are.

use super::args::{InitialGrowthArg, StressArgs};
use super::session::Session;
use rebut_diagnostics::{Error, Result};
use rebut_engine::{StressPlan, measure_initial_growth};

/// Returns the growth up to which the inputs are drawn from the first one on: the stated one, or the measured one if nothing else
/// decides which inputs there are. With a seed, a number of cases or a journal, a search is the same on each machine.
///
/// # Errors
/// Returns an error if a program cannot be started, or if the growth must be measured for a journal.
pub(super) fn choose_initial_growth(args: &StressArgs, plan: &StressPlan<'_>, session: &mut Session) -> Result<u32> {
    let is_fixed = args.seed.is_some() || args.cases.is_some() || args.shards.journal.is_some();
    match args.initial_growth {
        Some(InitialGrowthArg::Stated(growth)) => return Ok(growth),
        Some(InitialGrowthArg::Measured) if args.shards.journal.is_some() => {
            let what = "`--initial-growth measured` may differ from machine to machine, but a journal may not";
            return Err(Error::usage_error(what).with_help("state a number from 0 to 100"));
        }
        None if is_fixed || plan.inputs.is_exhaustive() => return Ok(0),
        Some(InitialGrowthArg::Measured) | None => {}
    }
    session.begin_activity("Measuring", "how long a run takes");
    measure_initial_growth(plan)
}
