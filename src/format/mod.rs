//! The format language: a text that reads like the statement's *Input* section, and the [`Format`] it means.
//!
//! Text becomes tokens (`token`), logical lines (`lines`), a syntax tree (`syntax`), and at last the model
//! (`model`), in which every name is looked up and every constraint is classified (`resolve`, `classify`).
//! Problems are collected along the way and shown together.

mod classify;
mod interval;
mod lines;
mod model;
mod numeral;
mod pattern;
mod resolve;
mod syntax;
mod token;
mod variant;

pub(crate) use classify::{narrow_length, speaks_surely};
pub(crate) use interval::cut;
pub(crate) use interval::operate;
pub use interval::{Interval, Ranges, bounds_of, elements, instances, narrow};
pub use model::{
    Adjective, Block, BlockId, BlockKind, Class, Comparison, Constraint, Count, Decimals, Dimension, Edges, Expr,
    External, Field, FieldId, Fold, Format, Formula, GraphRule, Item, Kind, Operator, Over, Part, Quantified, Rule,
    Sign, Subtask, Token,
};
pub use numeral::{push_number, push_whole, shown};
pub use pattern::Pattern;

use crate::diagnostic::{Diagnostic, Severity, Source};

/// No number in a format or an input is larger: sums and products of a few such numbers still fit `i128`.
pub const LARGEST: i128 = 10_i128.pow(36);

impl Format {
    /// Reads a format.
    ///
    /// # Errors
    /// All problems found, errors and warnings, in the order of the text.
    pub fn parse(source: &Source) -> Result<(Format, Vec<Diagnostic>), Vec<Diagnostic>> {
        let mut problems = Vec::new();
        let lines = lines::lines(source, &mut problems);
        let tree = syntax::parse(lines, &mut problems);
        let format = resolve::resolve(tree, source, &mut problems);
        problems.sort_by_key(|p| (p.span, p.severity));
        problems.dedup_by(|b, a| a.code == b.code && a.span == b.span);
        match format {
            Some(format) if problems.iter().all(|p| p.severity == Severity::Warning) => Ok((format, problems)),
            _ => Err(problems),
        }
    }
}

#[cfg(test)]
mod tests;
