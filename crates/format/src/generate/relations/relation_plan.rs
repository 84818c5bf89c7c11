//! What relating the parts of inputs of a format depends on.

use crate::language::{Block, BlockId, Constraint, Expr, FieldId, Format, InstanceCount, is_unambiguous};
use rebut_generators::Choices;

/// A part of an instance that can be replaced by a related one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Number(FieldId),
    Array(FieldId),
    Text(FieldId),
    Instances(BlockId),
}

/// What relating the parts of inputs of a format depends on.
#[derive(Debug)]
pub(in crate::generate) struct RelationPlan {
    /// For each block, the parts of an instance that can be replaced by related ones.
    parts: Vec<Vec<Part>>,
    /// For each block and slot of a field, the constraints that another value of the field can violate, or `None` if
    /// all have to be checked.
    checks: Vec<Vec<Option<Vec<usize>>>>,
    /// For each field, its letters.
    letters: Vec<LetterSet>,
    /// For each constraint, whether an instance is known to satisfy it if it is not known to violate it.
    is_settled: Vec<bool>,
    /// Whether an input that is valid can be read as another one.
    pub(super) needs_reading: bool,
}

impl RelationPlan {
    /// Precomputes the facts for a format and the fields that size something. Sizes, and numbers in conditions, decide the
    /// layout and stay as they are.
    pub(in crate::generate) fn of_format(format: &Format, is_size: &[bool]) -> RelationPlan {
        let decides_layout =
            |field: FieldId| is_size[field.0] || format.blocks.iter().any(|block| block.count.mentions_field(field));
        let mut parts: Vec<Vec<Part>> = vec![Vec::new(); format.blocks.len()];
        let mut checks = vec![Vec::new(); format.blocks.len()];
        let has_ends = |block: &Block| matches!(block.count, InstanceCount::Until { .. });
        let mut needs_reading = !is_unambiguous(format) || format.blocks.iter().any(has_ends);
        for (field, info) in (0..).map(FieldId).zip(&format.fields) {
            let part = match (info.alphabet().is_some(), info.is_scalar()) {
                (true, _) => Part::Text(field),
                (false, true) if decides_layout(field) => continue,
                (false, true) => Part::Number(field),
                (false, false) => Part::Array(field),
            };
            needs_reading |= info.has_free_length() || decides_layout(field);
            parts[info.block.0].push(part);
            let of_block: &mut Vec<_> = &mut checks[info.block.0];
            of_block.resize(of_block.len().max(info.slot + 1), None);
            of_block[info.slot] = constraints_on(format, field).filter(|_| !decides_layout(field));
        }
        for (child, info) in (0..).map(BlockId).zip(&format.blocks) {
            if let Some(parent) = info.parent {
                parts[parent.0].push(Part::Instances(child));
            }
        }
        let is_settled = format.constraints.iter().map(is_settled_by_instances).collect();
        let letters =
            format.fields.iter().map(|info| LetterSet::of_letters(info.alphabet().unwrap_or_default())).collect();
        RelationPlan { parts, checks, letters, is_settled, needs_reading }
    }

    /// Returns a random part of an instance of a block.
    pub(super) fn pick_part(&self, block: BlockId, choices: &mut Choices) -> Option<Part> {
        choices.pick_item(&self.parts[block.0]).copied()
    }

    pub(super) fn single_numbers(&self, block: BlockId) -> Vec<FieldId> {
        let number = |part: &Part| if let Part::Number(field) = part { Some(*field) } else { None };
        self.parts[block.0].iter().filter_map(number).collect()
    }

    /// Returns the constraints that another value in a slot can violate, or `None` if all have to be checked.
    pub(super) fn checks_of_slot(&self, block: BlockId, slot: usize) -> Option<&[usize]> {
        self.checks[block.0].get(slot)?.as_deref()
    }

    pub(super) fn field_letters(&self, field: FieldId) -> &LetterSet {
        &self.letters[field.0]
    }

    /// Returns true if a constraint holds wherever the instances of its block are valid.
    pub(super) fn is_settled(&self, constraint: usize) -> bool {
        self.is_settled[constraint]
    }
}

/// Returns the constraints that another value of a field can violate, unless one is about blocks inside.
fn constraints_on(format: &Format, field: FieldId) -> Option<Vec<usize>> {
    // Only comparisons are known to depend on nothing but what they mention.
    let may_depend = |constraint: &Constraint| {
        let depends = |expr: &Expr| format.depends_on(expr, field);
        constraint.rule.comparison().is_none_or(|comparison| comparison.all_operands().any(depends))
    };
    let block = format.field(field).block;
    let concerned = || format.constraints.iter().enumerate().filter(|(_, constraint)| may_depend(constraint));
    let is_inside = |home: BlockId| home != block && format.is_within(home, block);
    let own = concerned().filter(|(_, constraint)| constraint.home_block == block).map(|(at, _)| at);
    (!concerned().any(|(_, constraint)| is_inside(constraint.home_block))).then(|| own.collect())
}

/// Returns true unless a constraint can lack a value in a complete instance: that of an index out of bounds.
fn is_settled_by_instances(constraint: &Constraint) -> bool {
    constraint.rule.comparison().is_some() && !constraint.rule.expressions().into_iter().any(Expr::contains_element)
}

/// A set of letters with a quick lookup.
#[derive(Clone, Debug, Default)]
pub(super) struct LetterSet([u64; 4]);

impl LetterSet {
    pub(super) fn of_letters(letters: &[u8]) -> LetterSet {
        let mut set = LetterSet::default();
        letters.iter().for_each(|letter| set.0[usize::from(letter / 64)] |= 1 << (letter % 64));
        set
    }

    pub(super) fn has_letter(&self, letter: u8) -> bool {
        self.0[usize::from(letter / 64)] >> (letter % 64) & 1 == 1
    }
}
