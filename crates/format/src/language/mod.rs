//! The format language: a text that reads like the *Input* section of a problem statement, and the [`Format`] that it
//! is parsed to.
//!
//! [`Format::parse`] splits the text into tokens (`tokenizer`) and a tree of logical lines (`line_tree`), parses these to a
//! syntax tree (`syntax`), and resolves the tree to the model (`model`): names are looked up (`resolve`) and
//! constraints are classified (`classify`). Problems are collected on the way and reported together.
//!
//! ```
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 8; -9 <= a <= 9");
//! let (format, warnings) = Format::parse(&source).expect("a valid format");
//! assert_eq!(format.fields.len(), 2);
//! assert!(warnings.is_empty());
//! ```

mod ambiguous;
mod classify;
mod contradictions;
mod format_variants;
mod formatter;
mod line_tree;
mod logical_line;
mod one_line;
mod other_notations;
mod range_narrowing;
mod reachability;
mod resolve;
pub mod syntax;
#[cfg(test)]
mod tests;
mod tokenizer;
mod vocabulary;

pub use crate::model::{
    ArithmeticOperator, Block, BlockId, BlockKind, ByteWriter, Class, Comparison, ComparisonOperator, Constraint,
    ConstraintRule, DecimalPlaces, DeclaredRanges, DistinctConstraint, DistinctTextsConstraint, EdgeSelection, Expr,
    ExternalProgram, Field, FieldDimension, FieldId, FieldKind, FieldPosition, FoldKind, FoldRange, Format, Formula,
    GraphConstraint, GraphEdges, GraphProperty, InlineGroup, InstanceCount, Interval, LayoutItem, LinePart, LineToken,
    MAX_NUMBER, NumberFunction, OptionalBlocks, OrderConstraint, PatternConstraint, PolygonConstraint,
    QuantifiedFormula, RangeSource, SliceFold, SliceReduction, StopToken, Subtask, TextConstraint, TokenPattern,
    can_hold, combine_intervals, element_count_range, evaluate_range, format_decimal, format_range,
    instance_count_range, narrow_by_operator, narrow_range, push_number,
};
pub(crate) use crate::model::{
    LinearSum, NestedNarrowing, apply_operator, comparison_can_hold, factor_of_field, fold_interval,
    is_always_evaluated, is_never_empty, trim_ends,
};
pub(crate) use format_variants::{affects_repetition_end, is_unambiguous};
pub use formatter::format_source;
pub(crate) use range_narrowing::{always_applies, narrow_free_length};
pub use reachability::reachable_range;
use rebut_diagnostics::{Diagnostic, Severity, SourceText, Span};
pub use resolve::{graph_property_names, polygon_property_names};
use syntax::SyntaxTree;
pub use tokenizer::{FormatWord, FormatWordKind, split_words};
pub use vocabulary::{VocabularyWord, WordPlace, is_reserved_word, names_in, vocabulary, words_in};

/// Maximum length of a format's text in bytes: some checks take time quadratic in the length.
const MAX_TEXT_BYTES: usize = 128 << 10;

/// Maximum number of problems reported: later ones are usually consequences of earlier ones.
const MAX_PROBLEMS: usize = 50;

impl Format {
    /// Parses a format, and returns it with the warnings.
    ///
    /// # Errors
    /// Returns the first problems, errors and warnings, in the order of the text.
    pub fn parse(source: &SourceText) -> Result<(Format, Vec<Diagnostic>), Vec<Diagnostic>> {
        let (tree, mut problems) = read_syntax(source)?;
        let format = resolve::resolve_format(tree, source, &mut problems);
        problems.sort_by_key(|p| (p.span, p.severity));
        problems.dedup_by(|b, a| a.code == b.code && a.span == b.span);
        limit_problems(&mut problems);
        match format {
            Some(format) if problems.iter().all(|p| p.severity == Severity::Warning) => Ok((format, problems)),
            _ => {
                other_notations::add_notation_help(source, &mut problems);
                Err(problems)
            }
        }
    }
}

impl SyntaxTree {
    /// Parses a text without looking at its meaning: names, types and bounds.
    ///
    /// # Errors
    /// Returns the problems of the text, if there are any errors among them.
    pub fn parse(source: &SourceText) -> Result<SyntaxTree, Vec<Diagnostic>> {
        let (tree, problems) = read_syntax(source)?;
        if problems.iter().any(|problem| problem.severity == Severity::Error) { Err(problems) } else { Ok(tree) }
    }
}

impl SyntaxTree {
    /// Parses a text that may have errors: the tree lacks the lines that have some. It is empty if the text is too long or
    /// ambiguous.
    pub fn parse_leniently(source: &SourceText) -> SyntaxTree {
        read_syntax(source).map(|(tree, _)| tree).unwrap_or_default()
    }
}

/// Parses a text to a tree, without the lines that have errors, and returns it with all problems.
fn read_syntax(source: &SourceText) -> Result<(SyntaxTree, Vec<Diagnostic>), Vec<Diagnostic>> {
    if source.text.len() > MAX_TEXT_BYTES {
        return Err(vec![format_too_long(source)]);
    }
    let mut problems = Vec::new();
    let read = line_tree::parse_logical_lines(source, &mut problems);
    if !read.ambiguous_blocks.is_empty() {
        problems.extend(read.ambiguous_blocks.iter().map(|block| block.to_error(source)));
        problems.sort_by_key(|p| (p.span, p.severity));
        return Err(problems);
    }
    let tree = syntax::parse_syntax(read.lines, &mut problems);
    Ok((tree, problems))
}

fn format_too_long(source: &SourceText) -> Diagnostic {
    let kibibytes = source.text.len().div_ceil(1 << 10);
    let message = format!("this format of {kibibytes} KiB is longer than {} KiB", MAX_TEXT_BYTES >> 10);
    Diagnostic::error("too-long", Span::new(0, 0), message).with_help(
        "write many fields of one kind as an array, `a[n]`; leave long lists of words to generators and validators",
    )
}

/// Limits the number of problems. Errors take precedence over warnings.
fn limit_problems(problems: &mut Vec<Diagnostic>) {
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
        last.note = Some(format!("{more} more problems are not shown"));
    }
}
