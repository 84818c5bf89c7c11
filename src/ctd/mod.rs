//! checktestdata scripts to formats.
//!
//! checktestdata is the language in which DOMjudge and the contests around it check their inputs. A script is a
//! program: it reads tokens one by one, in loops, and asserts things. A format is a description. This room finds the
//! description in the program: [`parse`](fn@convert) reads the script, its steps are put into lines, and the script is
//! run once on symbols in place of numbers ([`translate`]). What it reads is the layout, and what it asserts are the
//! constraints.
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

use crate::diagnostic::{Diagnostic, Source};
use constants::{Constant, Constants};
use draft::Draft;
use names::Names;
use std::collections::BTreeSet;
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
    let (mut draft, names, lost) = translate::translate(&items, draft, names);
    warnings.extend(lost);
    polish::polish(&mut draft);
    let (text, lost) = write::write(&draft, &names, source);
    warnings.extend(lost);
    warnings.sort_by_key(|w| (w.span.start, w.span.end));
    warnings.dedup();
    let exact = warnings.iter().all(|w| w.code == "ctd-precedence");
    Ok(Conversion { text, warnings, exact })
}

/// The constants that are numbers.
fn lets(constants: &Constants, names: &mut Names<'_>) -> Vec<(String, Term)> {
    let mut found = Vec::new();
    for (name, value, _) in constants.all() {
        if let Constant::Number(number) = value
            && number.unsigned_abs() <= 10_u128.pow(36)
        {
            let name = names.constant(name);
            names.reserve(name.clone());
            found.push((name, Term::Number(*number)));
        }
    }
    found
}
