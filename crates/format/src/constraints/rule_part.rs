//! Rules as data of a few forms, which exporters write whatever the kind of the rule.

use crate::model::{Comparison, ConstraintRule, Expr, FieldId, FoldRange, Format};

/// A part of a rule, as exporters write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulePart<'f> {
    /// A word that readers of the export know: the kind of a rule, an operator.
    Word(&'static str),
    /// Characters of the format.
    Text(&'f [u8]),
    /// A number, or the index of a block.
    Number(usize),
    /// A field.
    Field(FieldId),
    /// An expression.
    Expression(&'f Expr),
    /// Several expressions.
    Expressions(&'f [Expr]),
    /// A comparison.
    Comparison(&'f Comparison),
    /// The elements or instances that a rule is about together.
    Range(FoldRange),
    /// Names, each with whether it applies.
    Flags(Vec<(&'static str, bool)>),
    /// Several parts.
    List(Vec<RulePart<'f>>),
    /// Something optional that is absent.
    Absent,
}

impl ConstraintRule {
    /// Returns the rule as parts that exporters write, its kind first.
    pub fn exported_parts(&self) -> Vec<RulePart<'_>> {
        self.kind().exported_parts()
    }

    /// Returns the definition of the function in Python that exported validators need to check the rule, if they need
    /// one.
    pub fn python_check(&self) -> Option<&'static str> {
        self.kind().python_check()
    }

    /// Returns the rule as text if exported validators cannot check it.
    pub fn unexportable_text(&self, format: &Format) -> Option<String> {
        self.kind().unexportable_text(format)
    }
}
