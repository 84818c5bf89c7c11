//! The state of code generation: the fields that are read, and the values that later constraints need.

use super::names::{plain_name, variable_names};
use crate::names::free_name;
use crate::source_writer::SourceWriter;
use rebut_diagnostics::Span;
use rebut_format::language::{
    ArithmeticOperator, BlockId, Comparison, DeclaredRanges, Expr, FieldId, FieldKind, FoldRange, Format, Interval,
    combine_intervals, evaluate_range,
};
use std::collections::BTreeSet;

/// A reason why something is not expressed here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A part of it is read later.
    Later,
    /// There is no code for it.
    Never(String),
}

/// Creates the reason for something that there is no code for.
pub(super) fn no_counterpart<T>(what: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Never(what.into()))
}

/// Values of inner blocks that are kept for a constraint of an outer one.
#[derive(Clone, Debug)]
pub(super) struct Gather {
    pub(super) name: String,
    pub(super) source: GatherSource,
    /// The block that declares the variable.
    pub(super) holder: BlockId,
    /// The block directly inside the holder that the values are from.
    pub(super) outermost: BlockId,
}

/// The values that a [`Gather`] keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GatherSource {
    /// The values of expressions in each instance of a block where they have one and all comparisons of `when` hold.
    Values { block: BlockId, parts: Vec<Expr>, shape: GatherShape, when: Vec<Comparison> },
    /// A field in each repetition around it, by its number; with a flag where it may be absent.
    Elements(FieldId),
}

/// The type of gathered values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GatherShape {
    Numbers,
    Texts,
    Pairs,
    Tuples,
}

/// The tokens on a line before the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Nothing,
    Something,
    /// Something if this condition holds.
    If(String),
}

/// The variable of a quantifier or a slice.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    /// Its first and last number.
    pub(super) range: (Expr, Expr),
}

/// Generates the code of one format.
pub(super) struct Generator<'f> {
    pub(super) format: &'f Format,
    pub(super) names: Vec<String>,
    pub(super) out: SourceWriter,
    pub(super) gathers: Vec<Gather>,
    pub(super) helpers: BTreeSet<&'static str>,
    /// The quantifiers around the current expression, by their numbers.
    pub(super) variables: Vec<Variable>,
    /// The index of the current element, where an array stands for its elements one by one.
    pub(super) element: Option<String>,
    /// Lines that the current constraint needs before it.
    pub(super) preludes: Vec<String>,
    pub(super) block: BlockId,
    pub(super) is_read: Vec<bool>,
    pub(super) is_complete: Vec<bool>,
    /// The constraints, those of subtasks last, that are expressed.
    pub(super) is_done: Vec<bool>,
    pub(super) left_out: Vec<(Span, String)>,
    /// The variables of the loops around the current place.
    pub(super) loops: Vec<String>,
    /// The tokens before the current one on its line.
    pub(super) before: Before,
    /// Number of slices before this one.
    pub(super) slices: usize,
}

impl<'f> Generator<'f> {
    /// Creates the state before anything is read. `gathers` are known from an earlier pass.
    pub(super) fn new(format: &'f Format, gathers: Vec<Gather>) -> Self {
        let constraints = format.constraints.len() + format.subtasks.iter().map(|s| s.constraints.len()).sum::<usize>();
        Generator {
            format,
            names: variable_names(format),
            out: SourceWriter::default(),
            gathers,
            helpers: BTreeSet::new(),
            variables: Vec::new(),
            element: None,
            preludes: Vec::new(),
            block: BlockId(0),
            is_read: vec![false; format.fields.len()],
            is_complete: vec![false; format.blocks.len()],
            is_done: vec![false; constraints],
            left_out: Vec::new(),
            loops: Vec::new(),
            before: Before::Nothing,
            slices: 0,
        }
    }

    /// Notes that a helper is needed, and returns its name.
    pub(super) fn use_helper(&mut self, name: &'static str) -> &'static str {
        self.helpers.insert(name);
        name
    }

    /// Returns the variable of a field if it has been read and is visible in the current block.
    pub(super) fn variable_of(&self, field: FieldId) -> Result<String, Stop> {
        let is_visible = self.is_read[field.0] && self.format.is_within(self.block, self.format.field(field).block);
        if is_visible { Ok(self.names[field.0].clone()) } else { Err(Stop::Later) }
    }

    /// Returns the range of an expression without regard to others.
    pub(super) fn range_of(&self, expr: &Expr) -> Interval {
        let has_variable = expr.any_part(&|part| matches!(part, Expr::Variable(_)).then_some(true));
        match has_variable {
            // The variables of quantifiers have no declared range: they are numbers of elements.
            true => self.range_with_variables(expr),
            false => evaluate_range(expr, &DeclaredRanges(self.format)),
        }
    }

    fn range_with_variables(&self, expr: &Expr) -> Interval {
        match expr {
            Expr::Variable(number) => match self.variables.get(*number) {
                Some(variable) => {
                    Interval::new(self.range_of(&variable.range.0).lo, self.range_of(&variable.range.1).hi)
                }
                None => Interval::new(i128::MIN / 4, i128::MAX / 4),
            },
            Expr::Binary(ArithmeticOperator::OrElse, left, right) => {
                self.range_of(left).hull_with(self.range_of(right))
            }
            Expr::Binary(operator, left, right) => {
                combine_intervals(*operator, self.range_of(left), self.range_of(right))
            }
            Expr::Negate(inner) => {
                let range = self.range_of(inner);
                Interval::new(-range.hi, -range.lo)
            }
            Expr::Element(field, _) => self.format.field(*field).range,
            // Folds of parts of what is declared: far from what 64 bits hold only if the whole is.
            _ => evaluate_range(expr, &DeclaredRanges(self.format)),
        }
    }

    /// Returns true if a range fits into 64 bits.
    pub(super) fn is_small(range: Interval) -> bool {
        range.lo > i128::from(i64::MIN) && range.hi < i128::from(i64::MAX)
    }

    /// Returns true if the numbers of a field need more than 64 bits.
    pub(super) fn is_big_field(&self, field: FieldId) -> bool {
        let info = self.format.field(field);
        matches!(info.kind, FieldKind::Number | FieldKind::Real(_)) && !Self::is_small(info.range)
    }

    pub(super) fn element_type(&self, field: FieldId) -> &'static str {
        match &self.format.field(field).kind {
            FieldKind::Text(_) | FieldKind::Words(_) => "string",
            _ if self.is_big_field(field) => "Big",
            _ => "long long",
        }
    }

    /// Returns the number of dimensions of the C++ variable of a field: a text is one value.
    pub(super) fn rank_of(&self, field: FieldId) -> usize {
        let info = self.format.field(field);
        info.dimensions.len() - usize::from(info.alphabet().is_some())
    }

    pub(super) fn field_type(&self, field: FieldId) -> String {
        let rank = self.rank_of(field);
        format!("{}{}{}", "vector<".repeat(rank), self.element_type(field), ">".repeat(rank))
    }

    /// Returns the name of a variable with gathered values, which is declared if it is new.
    pub(super) fn gather_values(&mut self, source: GatherSource, over: FoldRange) -> Result<String, Stop> {
        let Some((holder, outermost)) = self.format.holder_block(over).zip(over.outermost_block()) else {
            return no_counterpart("a fold of nothing that repeats");
        };
        if !self.format.is_within(self.block, holder) {
            return Err(Stop::Later);
        }
        if let Some(known) = self.gathers.iter().find(|gather| gather.source == source && gather.holder == holder) {
            return if self.is_complete[outermost.0] { Ok(known.name.clone()) } else { Err(Stop::Later) };
        }
        let base = match &source {
            GatherSource::Elements(field) => format!("all_{}", self.format.field(*field).name),
            GatherSource::Values { parts, .. } => {
                let mut base = "all".to_owned();
                let mut names: Vec<&str> = Vec::new();
                parts.iter().for_each(|part| {
                    part.visit_fields(&mut |field| names.push(&self.format.field(field).name));
                });
                names.dedup();
                names.iter().take(3).for_each(|name| base.extend(["_", name]));
                base
            }
        };
        let is_taken = |name: &str| {
            self.names.iter().any(|known| known == name) || self.gathers.iter().any(|known| known.name == name)
        };
        let name = free_name(&plain_name(&base), |name| !is_taken(name));
        self.gathers.push(Gather { name, source, holder, outermost });
        // The next pass declares it.
        Err(Stop::Later)
    }

    /// Returns a name for a new variable that hides no other.
    pub(super) fn local_name(&self, wanted: &str) -> String {
        let is_taken = |name: &str| {
            self.names.iter().any(|known| known == name)
                || self.gathers.iter().any(|known| known.name == name)
                || self.loops.iter().any(|known| known == name)
                || self.variables.iter().any(|known| known.name == name)
        };
        free_name(&plain_name(wanted), |name| !is_taken(name))
    }
}
