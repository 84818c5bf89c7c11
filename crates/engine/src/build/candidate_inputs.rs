//! Candidates: inputs of which only some become tests.

use super::BuildPlan;
use super::input_properties::{InputProperty, find_properties};
use super::test_answers::AnsweredInput;
use super::test_inputs::TestInput;
use super::test_job::InputMethod;
use crate::event::{CandidateSelection, EventSink};
use rebut_diagnostics::Result;
use rebut_format::coverage::Coverage;
use std::collections::{BTreeMap, BTreeSet};

/// A test or a candidate, to be selected from.
pub struct TestCandidate<'a> {
    /// Path relative to `data/`, without extension.
    pub name: &'a str,
    /// The input.
    pub input: &'a [u8],
    /// The answer.
    pub answer: &'a [u8],
    /// Whether it is a test in any case.
    pub is_kept: bool,
    /// Its properties.
    pub properties: BTreeSet<InputProperty>,
}

/// Selects tests. Returns the indices of those that are not kept in any case in the order of their use, and the
/// selection in figures.
pub type SelectCandidates<'a> =
    dyn Fn(&[TestCandidate<'_>], &mut dyn EventSink) -> Result<(Vec<usize>, CandidateSelection)> + Sync + 'a;

/// Removes the candidates that are not selected, and names the others in the order in which they kill the most. Equal
/// inputs are one candidate.
pub(super) fn select_candidates(
    plan: &BuildPlan<'_>,
    select: &SelectCandidates<'_>,
    inputs: &mut Vec<TestInput>,
    answered: &mut Vec<AnsweredInput>,
    sink: &mut dyn EventSink,
) -> Result<CandidateSelection> {
    let is_candidate = |input: &TestInput| plan.test_jobs[input.order].is_candidate;
    let is_copy = |input: &TestInput| matches!(plan.test_jobs[input.order].method, InputMethod::Copy(_));
    let mut seen: BTreeSet<&[u8]> = BTreeSet::new();
    let (kept, drawn): (Vec<usize>, Vec<usize>) = (0..inputs.len())
        .filter(|number| !is_copy(&inputs[*number]))
        .partition(|number| !is_candidate(&inputs[*number]));
    let order: Vec<usize> =
        kept.into_iter().chain(drawn).filter(|number| seen.insert(&inputs[*number].bytes)).collect();
    let coverage = plan.format.map(Coverage::new);
    let candidates: Vec<TestCandidate<'_>> = order
        .iter()
        .map(|number| TestCandidate {
            name: &inputs[*number].name,
            input: &inputs[*number].bytes,
            answer: answered[*number].answer.as_deref().unwrap_or_default(),
            is_kept: !is_candidate(&inputs[*number]),
            properties: find_properties(coverage.as_ref(), &inputs[*number], &answered[*number]),
        })
        .collect();
    let (chosen, selection) = select(&candidates, sink)?;
    let ranked: Vec<usize> =
        chosen.into_iter().map(|at| order[at]).filter(|number| is_candidate(&inputs[*number])).collect();
    let names = name_selected(plan, inputs, &ranked);
    let mut all: Vec<Option<(TestInput, AnsweredInput)>> =
        std::mem::take(inputs).into_iter().zip(std::mem::take(answered)).map(Some).collect();
    for (order, job) in plan.test_jobs.iter().enumerate() {
        let of_job = |slot: &Option<(TestInput, AnsweredInput)>| slot.as_ref().is_some_and(|(i, _)| i.order == order);
        let numbers: Vec<usize> = match job.is_candidate {
            true => ranked.iter().copied().filter(|number| of_job(&all[*number])).collect(),
            false => (0..all.len()).filter(|number| of_job(&all[*number])).collect(),
        };
        for number in numbers {
            let Some((mut input, answer)) = all[number].take() else { continue };
            if let Some(name) = names.get(&number) {
                input.name.clone_from(name);
            }
            inputs.push(input);
            answered.push(answer);
        }
    }
    Ok(selection)
}

/// Returns the names of the selected inputs: in each folder they follow each other by rank, in the place of the first entry
/// with candidates, so that the tests that kill the most are run first whatever entry they are from.
fn name_selected(plan: &BuildPlan<'_>, inputs: &[TestInput], ranked: &[usize]) -> BTreeMap<usize, String> {
    let folder = |number: usize| &plan.test_jobs[inputs[number].order].folder;
    let mut names = BTreeMap::new();
    for first in plan.test_jobs.iter().filter(|job| job.is_candidate) {
        let of_folder: Vec<usize> = ranked.iter().copied().filter(|number| *folder(*number) == first.folder).collect();
        let width = of_folder.len().to_string().len();
        for (rank, number) in of_folder.into_iter().enumerate() {
            let name = || {
                let (position, _) = split_stem(&first.stem);
                let (_, label) = split_stem(&plan.test_jobs[inputs[number].order].stem);
                format!("{}/{position}_{:0width$}{label}", first.folder, rank + 1)
            };
            names.entry(number).or_insert_with(name);
        }
    }
    names
}

/// Splits the stem of a test into its position in the recipe and its name, with the underscore before it.
fn split_stem(stem: &str) -> (&str, &str) {
    stem.split_at(stem.find('_').unwrap_or(stem.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_split_behind_the_position() {
        assert_eq!(split_stem("03_two_rows"), ("03", "_two_rows"));
        assert_eq!(split_stem("3"), ("3", ""));
    }
}
