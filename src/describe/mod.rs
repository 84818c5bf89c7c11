//! A format as the Input and Constraints sections of a statement, for people.
//!
//! The principal type is `Author`: it walks the blocks (`blocks`), calls things by their names (`nouns`), writes
//! formulas (`maths`, `relations`, `number`), and keeps track of what has been said: a bound stands where its field is
//! introduced, and every constraint that did not find its place there is an item of the Constraints section (`rules`, `formulas`,
//! `graphs`). So everything is said, and nothing twice.

mod blocks;
mod formulas;
mod graphs;
mod groups;
mod letters;
mod lines;
mod markup;
mod maths;
mod nouns;
mod number;
mod permutations;
mod places;
mod relations;
mod rules;
mod subtasks;

pub use markup::Markup;

use crate::format::{BlockId, Format};
use markup::{Entry, Piece};
use maths::Maths;

/// The Input and Constraints sections of a statement.
pub fn describe(format: &Format, markup: Markup) -> String {
    let mut author = Author::new(format, markup);
    let mut text = markup.section("Input", &author.input());
    let constraints = author.constraints();
    if !constraints.is_empty() {
        text.push('\n');
        text.push_str(&markup.section("Constraints", &[Piece::List(constraints)]));
    }
    if let Some(table) = author.subtasks() {
        text.push('\n');
        text.push_str(&markup.section("Subtasks", &[table]));
    }
    text
}

/// Who writes a description.
struct Author<'f> {
    format: &'f Format,
    markup: Markup,
    maths: Maths<'f>,
    /// The line of the layout that each field is on.
    lines: Vec<usize>,
    /// For each constraint whether it has been stated.
    stated: Vec<bool>,
}

impl<'f> Author<'f> {
    fn new(format: &'f Format, markup: Markup) -> Self {
        let stated = vec![false; format.constraints.len()];
        let mut author = Author { format, markup, maths: Maths::new(format), lines: places::lines(format), stated };
        author.pass_over_what_goes_without_saying();
        author
    }

    /// The Input section.
    fn input(&mut self) -> Vec<Piece> {
        let entries = self.items(BlockId(0), "");
        let mut pieces = Vec::new();
        for Entry { text, below } in entries {
            pieces.push(Piece::Paragraph(text));
            if !below.is_empty() {
                pieces.push(Piece::List(below));
            }
        }
        pieces
    }

    /// The items of the Constraints section.
    fn constraints(&mut self) -> Vec<Entry> {
        let format = self.format;
        let left = format.constraints.iter().zip(&self.stated).filter(|(_, stated)| !**stated).map(|(c, _)| c);
        let mut sentences = self.sentences(&left.collect::<Vec<_>>());
        for validator in &format.validators {
            let program = self.markup.code(validator.command.as_bytes());
            sentences.push(format!("Further conditions are checked by the validator {program}."));
        }
        sentences.into_iter().map(|text| Entry { text, below: Vec::new() }).collect()
    }
}

/// `a`, `a and b`, `a, b and c`.
fn list_and(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

/// A formula in a sentence.
fn math(formula: &str) -> String {
    format!("${formula}$")
}

/// The text with a capital at its start.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests;
