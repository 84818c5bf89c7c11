//! Patterns: the common properties of inputs of different sizes.

use crate::growth::{NumberChoice, SizeAxis, narrow_format};
use crate::inputs::{GeneratedInput, InputOrigin, InputSource, InputValidator};
use crate::judging::JudgeSetup;
use rebut_diagnostics::Result;
use rebut_format::generate::{GenerationPlan, GenerationSettings};
use rebut_format::language::{FieldId, FieldKind, Format, Interval};
use rebut_generators::{Choices, all_shapes, split_shape_names};
use rebut_sandbox::{CancelToken, RunLimits};
use std::collections::BTreeMap;

/// The beginning of the names of shapes that are the worst case of an algorithm.
const WORST_CASE_PREFIX: &str = "anti-";

/// A column with fewer possible values is made constant with each of them.
const MAX_LISTED_VALUES: i128 = 4;

/// Growth of inputs: the sizes are given by constraints, and everything else has its whole range.
const FULL_GROWTH: u32 = 100;

/// The common properties of inputs of different sizes. The numbers are indices into a [`PatternSpace`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SlowPattern {
    /// The axis along which the inputs grow.
    pub(super) axis: usize,
    /// The shape of each family.
    pub(super) shapes: Vec<usize>,
    /// How single numbers are chosen.
    pub(super) numbers: NumberChoice,
    /// The column that is constant, if any.
    pub(super) constant: Option<usize>,
    /// Seed of the choices inside the shapes.
    pub(super) seed: u64,
}

/// A choice of shapes that can be tried alone: one shape, or all those of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShapeChoice {
    /// Families and shapes in them.
    shapes: Vec<(usize, usize)>,
    /// Whether it is the worst case of an algorithm.
    pub(super) is_worst_case: bool,
}

impl ShapeChoice {
    /// Returns a pattern with these shapes.
    pub(super) fn apply_to(&self, mut pattern: SlowPattern) -> SlowPattern {
        self.shapes.iter().for_each(|(family, shape)| pattern.shapes[*family] = *shape);
        pattern
    }
}

/// All patterns of a format.
pub(super) struct PatternSpace<'a> {
    format: &'a Format,
    /// Directions in which inputs can grow.
    pub(super) axes: Vec<SizeAxis>,
    /// The names of the shapes of each family that the format has a place for, the ordinary one first.
    pub(super) families: Vec<Vec<String>>,
    /// Constraints that make one column of repeated numbers constant, while the others vary.
    pub(super) constant_columns: Vec<String>,
    validators: Vec<InputValidator>,
    limits: RunLimits,
    cancel: CancelToken,
}

impl<'a> PatternSpace<'a> {
    /// Creates the space of a format. If `shape` is set, inputs have that shape wherever they can.
    ///
    /// # Errors
    /// Returns an error if the work was cancelled.
    pub(super) fn new(
        format: &'a Format,
        validators: &[InputValidator],
        judge_setup: &JudgeSetup,
        shape: Option<&str>,
    ) -> Result<PatternSpace<'a>> {
        let mut space = PatternSpace {
            format,
            axes: SizeAxis::for_worst_cases(format),
            families: all_families(shape),
            constant_columns: find_constant_columns(format),
            validators: validators.to_vec(),
            limits: judge_setup.judge_limits.clone(),
            cancel: judge_setup.cancel.clone(),
        };
        let kept = space.find_effective_shapes()?;
        space.families = kept;
        Ok(space)
    }

    /// Returns, for each family, the shapes that change an input of moderate size, after the ordinary one. Families
    /// without any are left out.
    fn find_effective_shapes(&self) -> Result<Vec<Vec<String>>> {
        const PROBE_SIZE: i128 = 40;
        const PROBE_SEED: u64 = 1;
        let Some(axis) = self.widest_axis() else { return Ok(Vec::new()) };
        let ordinary = self.ordinary_pattern(axis, PROBE_SEED);
        let axes: Vec<usize> = (0..self.axes.len()).collect();
        let probe = |pattern: &SlowPattern| -> Result<Vec<Option<Vec<u8>>>> {
            let of_axis = |axis: &usize| {
                let size = PROBE_SIZE.clamp(self.axes[*axis].range.lo, self.axes[*axis].range.hi);
                let made = self.make_small_input(&SlowPattern { axis: *axis, ..pattern.clone() }, size)?;
                Ok(made.map(|made| made.bytes))
            };
            axes.iter().map(of_axis).collect()
        };
        let unchanged = probe(&ordinary)?;
        let mut families = Vec::new();
        for (family, names) in self.families.iter().enumerate() {
            let mut kept = vec![names[0].clone()];
            for (shape, name) in names.iter().enumerate().skip(1) {
                let mut pattern = ordinary.clone();
                pattern.shapes[family] = shape;
                if probe(&pattern)? != unchanged {
                    kept.push(name.clone());
                }
            }
            if kept.len() > 1 || names.len() == 1 {
                families.push(kept);
            }
        }
        Ok(families)
    }

    /// Returns the axis along which most of the input grows.
    fn widest_axis(&self) -> Option<usize> {
        self.axes.iter().rposition(|axis| axis.range.hi > 1)
    }

    pub(super) fn ordinary_pattern(&self, axis: usize, seed: u64) -> SlowPattern {
        SlowPattern { axis, shapes: vec![0; self.families.len()], numbers: NumberChoice::Small, constant: None, seed }
    }

    /// Returns the choices of one shape that is not ordinary, and of all shapes of the same name in several families, which
    /// are made for each other.
    pub(super) fn shape_choices(&self) -> Vec<ShapeChoice> {
        let mut by_name: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
        for (family, names) in self.families.iter().enumerate() {
            for (shape, name) in names.iter().enumerate().skip(1) {
                by_name.entry(plain_name(name)).or_default().push((family, shape));
            }
        }
        let to_choice = |name: &str, shapes: &[(usize, usize)]| ShapeChoice {
            shapes: shapes.to_vec(),
            is_worst_case: name.starts_with(WORST_CASE_PREFIX),
        };
        let mut choices = Vec::new();
        for (name, shapes) in &by_name {
            choices.push(to_choice(name, shapes));
            if shapes.len() > 1 {
                choices.extend(shapes.chunks(1).map(|shape| to_choice(name, shape)));
            }
        }
        choices
    }

    /// Returns the choices of single numbers, the ordinary one first; only that if the format has none to choose.
    pub(super) fn number_choices(&self, axis: usize) -> &'static [NumberChoice] {
        let axis = &self.axes[axis];
        let of = |numbers| axis.size_constraints(axis.range.hi, numbers);
        let differs = NumberChoice::ALL.iter().any(|numbers| of(*numbers) != of(NumberChoice::Small));
        if differs { &NumberChoice::ALL } else { &[NumberChoice::Small] }
    }

    /// Returns the shapes of a pattern in one name, as for `--shape`.
    pub(super) fn shape_names(&self, pattern: &SlowPattern) -> String {
        let names = pattern.shapes.iter().zip(&self.families).map(|(shape, names)| names[*shape].as_str());
        names.collect::<Vec<_>>().join("+")
    }

    pub(super) fn list_constraints(&self, pattern: &SlowPattern, size: i128) -> Vec<String> {
        let mut constraints = self.axes[pattern.axis].size_constraints(size, pattern.numbers);
        constraints.extend(pattern.constant.map(|column| self.constant_columns[column].clone()));
        constraints
    }

    /// Returns the keys of a test in a recipe that makes the input of a pattern and a size.
    pub(super) fn recipe_keys(&self, pattern: &SlowPattern, size: i128) -> String {
        let quote = |text: &String| format!("\"{text}\"");
        let constraints: Vec<String> = self.list_constraints(pattern, size).iter().map(quote).collect();
        let shapes = self.shape_names(pattern);
        let shape = if shapes.is_empty() { String::new() } else { format!("shape = \"{shapes}\"\n") };
        format!("{shape}where = [{}]\nseed = {}\n", constraints.join(", "), pattern.seed)
    }

    /// Makes the input of a pattern and a size as a recipe does. Returns `None` if the format does not allow that size, or
    /// if the validators refuse the input.
    ///
    /// # Errors
    /// Returns an error if a validator cannot be run, or if the work was cancelled.
    pub(super) fn make_input(&self, pattern: &SlowPattern, size: i128) -> Result<Option<GeneratedInput>> {
        self.make_validated_input(pattern, size, self.validators.clone())
    }

    /// Same, for a small input that is only measured: it is not validated.
    pub(super) fn make_small_input(&self, pattern: &SlowPattern, size: i128) -> Result<Option<GeneratedInput>> {
        self.make_validated_input(pattern, size, Vec::new())
    }

    fn make_validated_input(
        &self,
        pattern: &SlowPattern,
        size: i128,
        validators: Vec<InputValidator>,
    ) -> Result<Option<GeneratedInput>> {
        let Some(format) = narrow_format(self.format, &self.list_constraints(pattern, size)) else { return Ok(None) };
        let shapes = self.shape_names(pattern);
        let settings = GenerationSettings {
            shape: (!shapes.is_empty()).then(|| shapes.clone()),
            growth: FULL_GROWTH,
            ..GenerationSettings::default()
        };
        let origin = InputOrigin::Format { plan: GenerationPlan::new(&format), settings };
        let source = InputSource::new(origin, validators, self.limits.clone(), self.cancel.clone());
        source.make_input_of_growth(pattern.seed, 0, FULL_GROWTH)
    }

    /// Returns a random variation of a pattern: another seed, shape, axis or choice of numbers. Half of the new shapes are
    /// taken from `partner`.
    pub(super) fn mutate_pattern(&self, pattern: &SlowPattern, partner: &SlowPattern, c: &mut Choices) -> SlowPattern {
        let mut mutant = pattern.clone();
        for _ in 0..=c.draw_below(2) {
            match c.draw_weighted(&[3, 4, 1, 1, 1]) {
                0 => mutant.seed = c.draw_below(1 << 32),
                1 if !self.families.is_empty() => {
                    let family = c.draw_index(self.families.len());
                    let any = c.draw_index(self.families[family].len());
                    mutant.shapes[family] = if c.draw_chance(1, 2) { partner.shapes[family] } else { any };
                }
                2 => mutant.axis = c.draw_index(self.axes.len()),
                3 => {
                    let column = c.draw_index(self.constant_columns.len() + 1);
                    mutant.constant = Some(column).filter(|column| *column < self.constant_columns.len());
                }
                _ => mutant.numbers = NumberChoice::ALL[c.draw_index(NumberChoice::ALL.len())],
            }
        }
        mutant
    }
}

/// Returns the name of a shape without its family.
fn plain_name(name: &str) -> &str {
    name.split_once('/').map_or(name, |(_, plain)| plain)
}

/// Returns constraints each of which gives all numbers of a column one value: the simplest or the largest one, or each
/// of a few; or all texts of a column their largest length. A column is a field of repeated lines, or an array, in which
/// no graph is.
fn find_constant_columns(format: &Format) -> Vec<String> {
    let mut constraints = Vec::new();
    for (id, field) in format.fields.iter().enumerate().map(|(index, field)| (FieldId(index), field)) {
        let is_in_lines = format.block(field.block).parent.is_some() && format.cases_block() != Some(field.block);
        if is_in_lines && field.has_free_length() && field.dimensions.len() == 1 && field.length.lo < field.length.hi {
            constraints.push(format!("len({}) = {}", field.name, field.length.hi));
            continue;
        }
        let is_repeated = !field.is_scalar() || is_in_lines;
        let is_plain = matches!(field.kind, FieldKind::Number) && format.cases_block() != Some(field.block);
        let is_end = format
            .constraints
            .iter()
            .filter_map(|constraint| constraint.rule.graph())
            .any(|graph| graph.edges.has_field(id));
        let Interval { lo, hi } = field.range;
        if !is_repeated || !is_plain || is_end || lo >= hi {
            continue;
        }
        let values = if hi - lo < MAX_LISTED_VALUES { (lo..=hi).collect() } else { vec![0.clamp(lo, hi), hi] };
        constraints.extend(values.into_iter().map(|value| format!("{} = {value}", field.name)));
    }
    constraints
}

/// Returns the names of all shapes by family. If a shape is required, its family has no other one.
fn all_families(required: Option<&str>) -> Vec<Vec<String>> {
    let mut families: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for shape in all_shapes() {
        families.entry(shape.family).or_default().push(format!("{}/{}", shape.family.name(), shape.name));
    }
    let is_required = |name: &String| {
        required.is_some_and(|required| split_shape_names(required).any(|one| one == name || one == plain_name(name)))
    };
    for names in families.values_mut() {
        if names.iter().any(is_required) {
            names.retain(is_required);
        }
    }
    families.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn required_shape_is_the_only_one_of_its_family() {
        let all = all_families(None);
        assert!(all.iter().all(|names| names.len() > 1));
        let name = all[0][1].clone();
        for required in [name.as_str(), plain_name(&name)] {
            let families = all_families(Some(required));
            assert_eq!(families.len(), all.len());
            assert!(families.iter().any(|names| names.as_slice() == [name.clone()]), "{required}");
        }
        assert_eq!(all_families(Some("no/such-shape")), all);
    }

    #[test]
    fn families_are_not_part_of_plain_names() {
        assert_eq!((plain_name("graph/star"), plain_name("star")), ("star", "star"));
    }
}
