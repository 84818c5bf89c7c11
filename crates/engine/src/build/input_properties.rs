//! Properties by which the inputs of a test set differ.
//!
//! A mistake that no known program makes shows on inputs that are unlike the others: large ones, an end of a range, a
//! rare answer. So where a test set has room for more tests than the known programs need, it takes those with
//! properties that few of its tests have.

use super::test_answers::AnsweredInput;
use super::test_inputs::TestInput;
use rebut_format::coverage::Coverage;
use rebut_format::language::{FieldId, Format};
use rebut_format::value::{Value, visit_elements, visit_leaves};
use rebut_packages::sha256_hex;
use std::collections::{BTreeMap, BTreeSet};

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
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use rebut_diagnostics::SourceText;
    use rebut_format::read::read_input;

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
