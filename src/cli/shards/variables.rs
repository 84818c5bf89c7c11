//! The shard that the variables of a batch system or a CI system name.

use rebut_diagnostics::{Error, Result};
use rebut_engine::Shard;

/// The number of shards, if the system has no variable for it.
pub(super) const COUNT_VARIABLE: &str = "REBUT_SHARDS";

/// The variables of systems that start one process for each shard: the index of the process, the first index as a number or
/// a variable, and the number of processes. First those of HyperQueue, Kubernetes and GNU parallel, which have no variable
/// for the number of processes; then those of Slurm, GitLab, CircleCI and Buildkite. A worker of HyperQueue may have been
/// started by Slurm, so the number that the user states decides. With Slurm it can be stated, too: the number of tasks is not
/// that of the shards if only some tasks of an array are run again.
const SYSTEMS: [[&str; 3]; 8] = [
    ["HQ_TASK_ID", "1", COUNT_VARIABLE],
    ["JOB_COMPLETION_INDEX", "0", COUNT_VARIABLE],
    ["PARALLEL_SEQ", "1", COUNT_VARIABLE],
    ["SLURM_ARRAY_TASK_ID", "1", COUNT_VARIABLE],
    ["SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT"],
    ["CI_NODE_INDEX", "1", "CI_NODE_TOTAL"],
    ["CIRCLE_NODE_INDEX", "0", "CIRCLE_NODE_TOTAL"],
    ["BUILDKITE_PARALLEL_JOB", "0", "BUILDKITE_PARALLEL_JOB_COUNT"],
];

/// Returns the shard of this process, or `None` if no system names one. `variable` returns the value of a variable.
///
/// # Errors
/// Returns an error if the variables of a system do not make a shard.
pub(super) fn shard_from_variables(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Shard>> {
    let is_set = |[index, _, count]: &&[&str; 3]| variable(index).is_some() && variable(count).is_some();
    let Some([index, first, count]) = SYSTEMS.iter().find(is_set) else { return Ok(None) };
    let number = |name: &str| -> Option<u32> { variable(name)?.trim().parse().ok() };
    let shard = || {
        let first = first.parse().ok().or_else(|| number(first)).unwrap_or(0);
        let (index, count) = (number(index)?.checked_sub(first)?, number(count)?);
        // An array of only the third task is one of lost tasks that are run again.
        let is_rest = count == 1 && first > 1;
        (index < count && !is_rest).then_some(Shard { number: index + 1, count })
    };
    shard().map(Some).ok_or_else(|| {
        let show = |name: &str| format!("{name}={}", variable(name).unwrap_or_default());
        let message = format!("{} and {} name no shard", show(index), show(count));
        Error::usage_error(message).with_help(format!(
            "state it with `--shard 3/8`, the number of all shards with `{COUNT_VARIABLE}=8`, or the whole search with \
             `--shard 1/1`"
        ))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn shard(variables: &[(&str, &str)]) -> Result<Option<Shard>> {
        shard_from_variables(&|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn each_system_names_its_shards() {
        let third_of_8 = Some(Shard { number: 3, count: 8 });
        for variables in [
            [("SLURM_ARRAY_TASK_ID", "12"), ("SLURM_ARRAY_TASK_MIN", "10"), ("SLURM_ARRAY_TASK_COUNT", "8")].as_slice(),
            &[("SLURM_ARRAY_TASK_ID", "2"), ("SLURM_ARRAY_TASK_COUNT", "8")],
            &[("CI_NODE_INDEX", "3"), ("CI_NODE_TOTAL", "8")],
            &[("CIRCLE_NODE_INDEX", "2"), ("CIRCLE_NODE_TOTAL", "8")],
            &[("BUILDKITE_PARALLEL_JOB", "2"), ("BUILDKITE_PARALLEL_JOB_COUNT", "8")],
            &[("HQ_TASK_ID", "3"), ("REBUT_SHARDS", "8")],
            &[("JOB_COMPLETION_INDEX", "2"), ("REBUT_SHARDS", "8")],
            &[("PARALLEL_SEQ", "3"), ("REBUT_SHARDS", "8")],
        ] {
            assert_eq!(shard(variables).unwrap(), third_of_8, "{variables:?}");
        }
    }

    #[test]
    fn task_of_a_worker_in_an_array_of_slurm_is_that_of_the_task_system() {
        let variables =
            [("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_ARRAY_TASK_COUNT", "2"), ("HQ_TASK_ID", "3"), ("REBUT_SHARDS", "8")];
        assert_eq!(shard(&variables).unwrap(), Some(Shard { number: 3, count: 8 }));
    }

    #[test]
    fn lost_tasks_of_an_array_of_slurm_are_not_the_whole_search() {
        let array = [("SLURM_ARRAY_TASK_ID", "3"), ("SLURM_ARRAY_TASK_MIN", "3"), ("SLURM_ARRAY_TASK_COUNT", "1")];
        let error = shard(&array).unwrap_err();
        assert!(error.help().unwrap_or_default().contains("REBUT_SHARDS=8"), "{error:?}");
        let stated = [&array[..], &[("REBUT_SHARDS", "8")]].concat();
        assert_eq!(shard(&stated).unwrap(), Some(Shard { number: 3, count: 8 }));
        let single = [("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_ARRAY_TASK_MIN", "1"), ("SLURM_ARRAY_TASK_COUNT", "1")];
        assert_eq!(shard(&single).unwrap(), Some(Shard::WHOLE));
    }

    #[test]
    fn other_variables_name_none() {
        assert_eq!(shard(&[]).unwrap(), None);
        assert_eq!(shard(&[("HQ_TASK_ID", "3")]).unwrap(), None, "the number of shards is not known");
        assert_eq!(shard(&[("REBUT_SHARDS", "8")]).unwrap(), None);
        for index in ["9", "0", "x"] {
            let error = shard(&[("CI_NODE_INDEX", index), ("CI_NODE_TOTAL", "8")]).unwrap_err();
            assert!(error.message().contains(&format!("CI_NODE_INDEX={index}")), "{error:?}");
        }
    }
}
