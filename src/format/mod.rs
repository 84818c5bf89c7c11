//! The format language: a text that reads like the statement's *Input* section, and the [`Format`] it means.
//!
//! Text becomes tokens (`token`), logical lines (`lines`), a syntax tree (`syntax`), and at last the model
//! (`model`), in which every name is looked up and every constraint is classified (`resolve`, `classify`).
//! Problems are collected along the way and shown together.

mod ambiguous;
mod branches;
mod classify;
mod digits;
mod expr;
mod fmt;
mod formula;
mod interval;
mod linear;
mod lines;
mod model;
mod numeral;
mod one_line;
mod pattern;
mod plain;
mod reach;
mod resolve;
mod rule;
mod stop_token;
mod syntax;
mod token;
mod variant;

pub(crate) use classify::{is_never_empty, narrow_length, speaks_surely};
pub use digits::Tape;
pub use expr::{Expr, Fold, Occurrences, Operator, Over, Sign};
pub use fmt::formatted;
pub use formula::{Comparison, Formula, Quantified};
pub use interval::{Interval, Ranges, Stand, bounds_of, elements, instances, narrow, narrow_by};
pub(crate) use interval::{Stated, cut, ends, operate, possible};
pub(crate) use linear::{Linear, count_of_range, factor_in, same};
pub use model::{
    Block, BlockId, BlockKind, Class, Constraint, Count, Decimals, Dimension, External, Field, FieldId, Format, Inline,
    Item, Kind, Part, Subtask, Token,
};
pub use numeral::{push_number, shown, shown_range};
pub use pattern::Pattern;
pub(crate) use plain::{decides_about_the_end, is_plain};
pub use reach::reach;
pub use rule::{Adjective, Edges, GraphRule, Rule};
pub use stop_token::StopToken;

use crate::diagnostic::{Diagnostic, Severity, Source, Span};

/// No number in a format or an input is larger: sums and products of a few such numbers still fit `i128`.
pub const LARGEST: i128 = 10_i128.pow(36);

/// Maximum length of a format's text in bytes: some problems take time with the square of a format's length to find.
const MAX_TEXT_BYTES: usize = 128 << 10;

/// Maximum number of fields of a format, for the same reason.
const MAX_FIELDS: usize = 1000;

/// Maximum number of problems that are shown: what comes behind them follows from them, as a rule.
const MAX_PROBLEMS: usize = 50;

impl Format {
    /// Reads a format.
    ///
    /// # Errors
    /// Returns the first problems found, errors and warnings, in the order of the text.
    pub fn parse(source: &Source) -> Result<(Format, Vec<Diagnostic>), Vec<Diagnostic>> {
        if source.text.len() > MAX_TEXT_BYTES {
            return Err(vec![too_long(source)]);
        }
        let mut problems = Vec::new();
        let read = lines::lines(source, &mut problems);
        if !read.open.is_empty() {
            problems.extend(one_line::ask_for_braces(source, &read.open, names_are_known));
            problems.sort_by_key(|p| (p.span, p.severity));
            return Err(problems);
        }
        let tree = syntax::parse(read.lines, &mut problems);
        let format = resolve::resolve(tree, source, &mut problems);
        if let Some(field) = format.as_ref().and_then(|format| format.fields.get(MAX_FIELDS)) {
            problems.push(too_many_fields(field));
        }
        problems.sort_by_key(|p| (p.span, p.severity));
        problems.dedup_by(|b, a| a.code == b.code && a.span == b.span);
        keep_first(&mut problems);
        match format {
            Some(format) if problems.iter().all(|p| p.severity == Severity::Warning) => Ok((format, problems)),
            _ => Err(problems),
        }
    }
}

/// Returns true if a text can be read, and its names are known where they are used; its bounds may be missing.
fn names_are_known(source: &Source) -> bool {
    let mut problems = Vec::new();
    let read = lines::lines(source, &mut problems);
    let tree = syntax::parse(read.lines, &mut problems);
    read.open.is_empty() && resolve::resolve(tree, source, &mut problems).is_some()
}

fn too_long(source: &Source) -> Diagnostic {
    let kibibytes = source.text.len().div_ceil(1 << 10);
    let message = format!("this format of {kibibytes} KiB is longer than {} KiB", MAX_TEXT_BYTES >> 10);
    Diagnostic::error("too-long", Span::new(0, 0), message).help(
        "many fields of one kind are an array, `a[n]`; for long lists of words there are generators and validators",
    )
}

fn too_many_fields(field: &Field) -> Diagnostic {
    let message = format!("this format has more than {MAX_FIELDS} fields");
    Diagnostic::error("too-many-fields", field.span, message)
        .help("many fields of one kind are an array, `a[n]`, or a block, `repeat n:`")
}

/// Leaves the first problems, all of whose errors come before the warnings that are left out.
fn keep_first(problems: &mut Vec<Diagnostic>) {
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    if problems.len() <= MAX_PROBLEMS {
        return;
    }
    if errors > 0 {
        problems.retain(|problem| problem.severity == Severity::Error);
    }
    let more = problems.len().saturating_sub(MAX_PROBLEMS);
    problems.truncate(MAX_PROBLEMS);
    if let (Some(last), true) = (problems.last_mut(), more > 0) {
        last.note = Some(format!("{more} more like these are not shown"));
    }
}

#[cfg(test)]
mod tests;
