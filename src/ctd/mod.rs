//! checktestdata scripts to formats.
//!
//! checktestdata is the language in which DOMjudge and the contests around it check their inputs. A script is a
//! program: it reads tokens one by one, in loops, and asserts things. A format is a description. This room finds the
//! description in the program: `parse` reads the script, `structure` puts its steps into lines, and `translate` runs it
//! once on symbols in place of numbers. What it reads is the layout, and what it asserts are the constraints; `polish`
//! and `write` put them as people do.
//!
//! Where a script says what no format can, there is a warning at the place, a comment in the text, and
//! [`Conversion::exact`] is false. What is left out makes the format accept more than the script, with few exceptions,
//! which the warnings name: exponents, more decimals than twelve, lengths without a bound.

mod carried;
mod constants;
mod draft;
mod environment;
mod expression;
mod inline;
mod items;
mod letters;
mod names;
mod parse;
mod pattern;
mod polish;
mod structure;
mod syntax;
mod term;
mod text;
mod token;
mod translate;
mod values;
mod write;

use crate::diagnostic::{Diagnostic, Source, Span};
use constants::{Constant, Constants};
use draft::Draft;
use names::Names;
use std::collections::BTreeSet;
use syntax::{Expr, ExprKind};
use term::Term;

/// A script as a format.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The text of the format.
    pub text: String,
    /// What could not be said, and what can be read in two ways, in the order of the script.
    pub warnings: Vec<Diagnostic>,
    /// Whether the format says all that the script says, and nothing else.
    pub exact: bool,
}

/// Converts a checktestdata script.
///
/// # Errors
/// What is no checktestdata.
pub fn convert(source: &Source) -> Result<Conversion, Vec<Diagnostic>> {
    let (commands, mut warnings) = parse::parse(&source.text)?;
    let constants = Constants::of(&commands);
    let items = items::items(&commands, &constants);
    let items = structure::structured(items, &constants, &mut warnings);
    let variables: BTreeSet<String> = items.iter().flat_map(structure::writes).map(str::to_owned).collect();
    let mut names = Names::new(&variables);
    let draft = Draft { lets: lets(&constants, &mut names), ..Draft::default() };
    let (mut draft, names, unsaid) = translate::translate(&items, draft, names);
    warnings.extend(unsaid);
    polish::polish(&mut draft);
    let (text, unsaid) = write::write(&draft, &names);
    warnings.extend(unsaid);
    if draft.fields.is_empty() {
        let all = Span::new(0, source.text.len());
        warnings.push(lost(all, "an input in which nothing can change", "a format needs at least one field"));
    }
    warnings.sort_by_key(|w| (w.span.start, w.span.end));
    warnings.dedup();
    let remarks: Vec<String> = warnings.iter().filter(|w| is_loss(w)).map(|w| remark(w, source)).collect();
    Ok(Conversion { exact: remarks.is_empty(), text: remarks.concat() + &text, warnings })
}

/// Something that a script says and no format can, and what the format says in its place.
fn lost(span: Span, why: &str, instead: &str) -> Diagnostic {
    Diagnostic::warning("ctd-lost", span, format!("this cannot be expressed: {why}")).caret(instead)
}

/// Whether a warning is about something that the format says in another way than the script.
fn is_loss(warning: &Diagnostic) -> bool {
    warning.code != "ctd-precedence"
}

/// The comment about a loss: the line of the script, its statement, and what came of it.
fn remark(warning: &Diagnostic, source: &Source) -> String {
    const MOST_SHOWN: usize = 60;
    let (line, _) = source.line_column(warning.span.start);
    let text = source.text.get(warning.span.start..warning.span.end).unwrap_or_default();
    let words = String::from_utf8_lossy(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let visible = words.chars().filter(|c| !c.is_control());
    let mut shown: String = visible.clone().take(MOST_SHOWN).collect();
    if visible.count() > MOST_SHOWN {
        shown.push('…');
    }
    format!("# line {line}: {shown}: {}\n", warning.caret)
}

/// The constants that are numbers, as they are written.
fn lets(constants: &Constants, names: &mut Names<'_>) -> Vec<(String, Term)> {
    let mut found: Vec<(String, Term)> = Vec::new();
    for (name, value, expr) in constants.all() {
        let Constant::Number(number) = value else { continue };
        if number.unsigned_abs() <= 10_u128.pow(36) {
            let name = names.constant(name);
            names.reserve(name.clone());
            let written = written(expr).filter(|term| term.number() == Some(*number));
            found.push((name, written.unwrap_or(Term::Number(*number))));
        }
    }
    found
}

/// A number as it is written: `10^9` stays so.
fn written(expr: &Expr) -> Option<Term> {
    Some(match &expr.kind {
        ExprKind::Integer(text) => Term::Number(constants::integer(text)?),
        ExprKind::Minus(inner) => Term::Minus(Box::new(written(inner)?)),
        ExprKind::Binary(sign, left, right) => Term::binary(*sign, written(left)?, written(right)?),
        _ => return None,
    })
}
