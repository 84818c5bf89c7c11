//! Candidates: inputs of which only some become tests.

use super::BuildPlan;
use super::test_answers::AnsweredInput;
use super::test_inputs::TestInput;
use super::test_job::InputMethod;
use crate::event::{CandidateSelection, EventSink};
use rebut_diagnostics::Result;
use rebut_format::coverage::Coverage;
use rebut_format::language::{FieldId, Format};
use rebut_format::value::{Value, visit_elements, visit_leaves};
use rebut_packages::sha256_hex;
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

// Properties by which the inputs of a test set differ.
//
// A mistake that no known program makes shows on inputs that are unlike the others: large ones, an end of a range, a
// rare answer. So where a test set has room for more tests than the known programs need, it takes those with
// properties that few of its tests have.

/// A property of an input. Sizes and numbers count by powers of two, and an input has the properties of all smaller
/// ones as well, so that a larger one has more of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InputProperty {
    /// It was made in this way, by the entry of the recipe with this index.
    Shape(usize, String),
    /// It has at least so many bytes.
    Bytes(SizeClass),
    /// It has at least so many cases.
    Cases(SizeClass),
    /// A field has at least so many numbers or characters.
    Elements(FieldId, SizeClass),
    /// A field has a number above zero that is at least so large.
    Positive(FieldId, SizeClass),
    /// A field has a number below zero that is at least so large.
    Negative(FieldId, SizeClass),
    /// It reaches the coverage goal with this index.
    Goal(usize),
    /// It has the answer with this digest.
    Answer(String),
}

/// A power of two, by its exponent.
type SizeClass = u32;

/// The largest sizes and numbers of a field in an input.
#[derive(Clone, Copy, Debug, Default)]
struct FieldExtent {
    elements: u128,
    positive: u128,
    negative: u128,
}

/// Returns the properties of an input. `coverage` is that of no input.
pub(super) fn find_properties(
    coverage: Option<&Coverage<'_>>,
    input: &TestInput,
    answered: &AnsweredInput,
) -> BTreeSet<InputProperty> {
    let shape = input.drawn_shape.as_ref().unwrap_or(&input.shape).clone();
    let mut properties = BTreeSet::from([InputProperty::Shape(input.order, shape)]);
    properties.extend(size_classes(input.bytes.len() as u128).map(InputProperty::Bytes));
    properties.extend(size_classes(answered.cases as u128).map(InputProperty::Cases));
    properties.extend(answered.answer.as_ref().map(|answer| InputProperty::Answer(sha256_hex(answer))));
    if let (Some(coverage), Some(value)) = (coverage, &answered.value) {
        let (format, mut coverage) = (coverage.format(), coverage.clone());
        coverage.count_input(value);
        let reached = coverage.goals().enumerate().filter(|(_, goal)| goal.inputs > 0);
        properties.extend(reached.map(|(number, _)| InputProperty::Goal(number)));
        for (field, extent) in field_extents(format, value) {
            properties.extend(size_classes(extent.elements).map(|class| InputProperty::Elements(field, class)));
            properties.extend(size_classes(extent.positive).map(|class| InputProperty::Positive(field, class)));
            properties.extend(size_classes(extent.negative).map(|class| InputProperty::Negative(field, class)));
        }
    }
    properties
}

/// Returns the exponents of the powers of two up to a size.
fn size_classes(size: u128) -> impl Iterator<Item = SizeClass> {
    0..u128::BITS - size.leading_zeros()
}

/// Measures each field of an input.
fn field_extents(format: &Format, value: &Value) -> BTreeMap<FieldId, FieldExtent> {
    let mut extents: BTreeMap<FieldId, FieldExtent> = BTreeMap::new();
    visit_leaves(format, value, &mut |_, field, leaf| {
        let extent = extents.entry(field).or_default();
        extent.elements = extent.elements.max(leaf.element_count() as u128);
        visit_elements(leaf, &mut |number| {
            let side = if number > 0 { &mut extent.positive } else { &mut extent.negative };
            *side = (*side).max(number.unsigned_abs());
        });
    });
    extents
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use rebut_diagnostics::SourceText;
    use rebut_format::read::read_input;

    #[test]
    fn stems_are_split_behind_the_position() {
        assert_eq!(split_stem("03_two_rows"), ("03", "_two_rows"));
        assert_eq!(split_stem("3"), ("3", ""));
    }

    fn properties_of(format: &Format, text: &str, shape: &str) -> BTreeSet<InputProperty> {
        let input = TestInput {
            order: 2,
            name: "a".to_owned(),
            bytes: text.as_bytes().to_vec(),
            key: String::new(),
            shape: "mixture".to_owned(),
            drawn_shape: Some(shape.to_owned()),
            is_reused: false,
            ignores_seed: false,
        };
        let value = read_input(format, text.as_bytes()).unwrap();
        let answered = AnsweredInput { cases: 1, value: Some(value), ..AnsweredInput::default() };
        find_properties(Some(&Coverage::new(format)), &input, &answered)
    }

    #[test]
    fn larger_inputs_have_the_properties_of_smaller_ones() {
        let (format, _) = Format::parse(&SourceText::new("test", "n; a[n] where 1 <= n <= 9; -9 <= a <= 9")).unwrap();
        let small = properties_of(&format, "2\n1 3\n", "sorted");
        let large = properties_of(&format, "4\n1 9 -8 3\n", "sorted");
        let (n, a) = (FieldId(0), FieldId(1));
        let (goals, others): (Vec<&InputProperty>, Vec<&InputProperty>) =
            large.difference(&small).partition(|property| matches!(property, InputProperty::Goal(_)));
        let goal = |description: &str| {
            let goals = Coverage::new(&format);
            let at = goals.goals().position(|goal| goal.description == description).unwrap();
            InputProperty::Goal(at)
        };
        let expected = BTreeSet::from([
            InputProperty::Bytes(3),
            InputProperty::Elements(a, 2),
            InputProperty::Positive(n, 2),
            InputProperty::Positive(a, 2),
            InputProperty::Positive(a, 3),
            InputProperty::Negative(a, 0),
            InputProperty::Negative(a, 1),
            InputProperty::Negative(a, 2),
            InputProperty::Negative(a, 3),
        ]);
        assert_eq!(others, expected.iter().collect::<Vec<_>>());
        assert!(goals.contains(&&goal("a = 9")) && !goals.contains(&&goal("n = 9")), "{goals:?}");
        assert!(small.is_subset(&large) && small.contains(&InputProperty::Shape(2, "sorted".to_owned())));
    }
}
