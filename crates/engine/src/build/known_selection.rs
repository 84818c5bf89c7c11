//! The candidates that an earlier build selected.
//!
//! They are recorded by the lock file, since it has a key for each test. As long as the keys are those of the recipe and
//! of the programs that the selection has to kill, nothing is selected anew, and the other candidates are not even made.

use super::BuildPlan;
use super::test_job::TestJob;
use std::collections::BTreeMap;

/// The candidates that an earlier build selected: their indices and paths by the index of their job.
pub(super) type KnownSelection = BTreeMap<usize, Vec<(usize, String)>>;

/// Returns the candidates that the lock file names, or `None` if it names none of them.
pub(super) fn find_known_selection(plan: &BuildPlan<'_>) -> Option<KnownSelection> {
    let jobs = plan.test_jobs.iter().enumerate().filter(|(_, job)| job.is_candidate);
    let known_inputs = |job: &TestJob| {
        let path = |index: usize| Some((index, plan.set.find_locked_input(&job.input_key(index))?.to_owned()));
        let mut known: Vec<(usize, String)> = (0..job.count as usize).filter_map(path).collect();
        known.sort_by(|a, b| a.1.cmp(&b.1));
        known
    };
    let known: KnownSelection = jobs.map(|(order, job)| (order, known_inputs(job))).collect();
    let is_known = !plan.rebuild_all && known.values().any(|inputs| !inputs.is_empty());
    is_known.then_some(known)
}
