//! The importers of programs that check inputs: converts scripts of checktestdata and validators with testlib to formats.
//!
//! Both are programs: they read tokens one by one, in loops, and assert conditions. A format is a description.
//! Each language has a front end, [`checktestdata`] and [`testlib`], which turns a program into `steps`.
//! The rest is common: `line_structure` turns the steps into others that form lines, and `translate` executes them once
//! with symbolic values, which `environment` computes: all are a `Term`. The input that they read becomes the layout, and
//! their assertions become the constraints. `simplify` gives them the form that a person would write, and `format_text`
//! and `constraint_syntax` write the text of the format.
//!
//! Parts that cannot be expressed in a format lead to a warning, a comment in the text, and [`Conversion::exact`] being
//! false. Leaving them out makes the format accept more than the program, except for what the warnings call narrowed:
//! exponents, more than twelve decimals, and unbounded lengths.
//!
//! # Examples
//!
//! ```
//! use rebut_diagnostics::SourceText;
//!
//! let script = SourceText::new("input.ctd", "INT(1, 100, n) NEWLINE EOF");
//! let conversion = rebut_import::checktestdata::convert_script(&script).unwrap();
//! assert!(conversion.exact);
//! assert!(conversion.text.contains("1 <= n <= 100"));
//! ```

pub mod checktestdata;
mod constraint_syntax;
mod draft;
mod environment;
mod fields;
mod format_text;
mod letters;
mod line_structure;
mod loop_carried;
mod patterns;
mod simplify;
mod steps;
mod term;
pub mod testlib;
mod translate;

use draft::{Draft, FieldNames};
use environment::ScriptConstants;
use rebut_diagnostics::{Diagnostic, SourceText, Span, shorten_text};
use std::collections::{BTreeMap, BTreeSet};
use steps::{Step, assigned_variables};

/// The result of a conversion.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// Text of the format.
    pub text: String,
    /// Warnings about parts that cannot be expressed or are ambiguous, in the order of the program.
    pub warnings: Vec<Diagnostic>,
    /// Whether the format accepts exactly the inputs that the program accepts, as far as the conversion knows.
    pub exact: bool,
}

/// Converts the steps of a program. `labels` are the names that fields of some variables should have.
fn convert_steps(
    steps: Vec<Step>,
    mut warnings: Vec<Diagnostic>,
    labels: BTreeMap<String, String>,
    source: &SourceText,
) -> Conversion {
    let constants = ScriptConstants::from_steps(&steps);
    let steps = translate::lower_steps(steps, &constants);
    let steps = line_structure::structure_steps(steps, &constants, &mut 0, &mut warnings);
    let variables: BTreeSet<String> = assigned_variables(&steps).into_iter().map(str::to_owned).collect();
    let mut names = FieldNames { variables, labels, ..FieldNames::default() };
    // Numeric constants are defined as written.
    let numbers = constants.0.into_iter().filter(|(_, value)| value.constant_value().is_some());
    let constants = numbers.map(|(name, value)| (names.reserve_constant(&name), value)).collect();
    let draft = Draft { constants, ..Draft::default() };
    let (mut draft, names, lossy_warnings) = translate::translate_steps(&steps, draft, names);
    warnings.extend(lossy_warnings);
    simplify::simplify_draft(&mut draft);
    let (text, lossy_warnings) = format_text::format_draft(&draft, &names);
    warnings.extend(lossy_warnings);
    if draft.fields.is_empty() {
        let all = Span::new(0, source.text.len());
        warnings.push(lossy_warning(all, "the input is constant", "a format needs at least one field"));
    }
    warnings.sort_by_key(|w| (w.span.start, w.span.end));
    warnings.dedup();
    let remarks: Vec<String> =
        warnings.iter().filter(|w| w.code != "ctd-precedence").map(|w| loss_comment(w, source)).collect();
    Conversion { exact: remarks.is_empty(), text: remarks.concat() + &text, warnings }
}

/// Creates a warning about a part of a program that a format cannot express, and what the format does instead.
fn lossy_warning(span: Span, reason: &str, instead: &str) -> Diagnostic {
    Diagnostic::warning("ctd-lost", span, format!("this cannot be expressed: {reason}")).with_caret(instead)
}

/// Formats a warning as a comment: the line of the program, its statement, and what the format does.
fn loss_comment(warning: &Diagnostic, source: &SourceText) -> String {
    const MAX_SHOWN_CHARS: usize = 60;
    let (line, _) = source.line_column(warning.span.start);
    let text = source.text.get(warning.span.start..warning.span.end).unwrap_or_default();
    let words = String::from_utf8_lossy(text).split_whitespace().collect::<Vec<_>>().join(" ");
    format!("# line {line}: {}: {}\n", shorten_text(words.as_bytes(), MAX_SHOWN_CHARS), warning.caret)
}
