//! Explanations of names and words of a format.

use crate::protocol::Explanation;
use crate::text::EditedText;
use rebut_diagnostics::{Diagnostic, SourceText, Span};
use rebut_format::explain::{FieldSummary, summarize_field};
use rebut_format::generate::{GenerationError, GenerationPlan, GenerationSettings, generate_value};
use rebut_format::language::vocabulary;
use rebut_format::language::{Format, FormatWord, FormatWordKind, split_words};
use rebut_format::print::print_value;
use rebut_format::syntax::{SyntaxRule, SyntaxTree};
use rebut_generators::Choices;
use std::fmt::Write as _;

/// Returns the explanation of the word at a byte. While the text has errors, `last_format`, the last one without, says what
/// values a field can have.
pub fn explain_word(file: &FormatFile, last_format: Option<&Format>, offset: usize) -> Option<Explanation> {
    let (name, word) = file.name_at(offset)?;
    let described = match file.format.as_ref() {
        Some(format) => describe_field(format, name),
        None => last_format
            .and_then(|format| describe_field(format, name))
            .map(|text| text + "\n*These are the values before the last changes: the format has errors now.*\n"),
    };
    let markdown = described.or_else(|| describe_constant(file, name)).or_else(|| describe_word(file, word.span))?;
    Some(Explanation { span: word.span, markdown })
}

/// Returns the place at which the name at a byte is declared in the layout or by `let`.
pub fn find_declaration(file: &FormatFile, offset: usize) -> Option<Span> {
    let (name, _) = file.name_at(offset)?;
    if let Some(format) = &file.format
        && let Some(id) = format.field_named(name)
    {
        let start = format.field(id).span.start;
        return Some(Span::new(start, start + name.len()));
    }
    file.tree.rules.iter().find_map(|rule| match rule {
        SyntaxRule::Let { name: constant, span, .. } if constant == name => Some(*span),
        _ => None,
    })
}

fn describe_field(format: &Format, name: &str) -> Option<String> {
    let id = format.field_named(name)?;
    let declaration = format.source_text(format.field(id).span);
    let FieldSummary { meaning, values, lengths, letters, statements } = summarize_field(format, id);
    let mut text = format!("```rebut-format\n{declaration}\n```\n{meaning}\n");
    // Writing to a string cannot fail.
    let _ = values.map(|values| write!(text, "\nvalues that all constraints leave: `{values}`\n"));
    let _ = letters.map(|letters| write!(text, "\ncharacters: {}\n", inline_code(&letters)));
    let _ = lengths.map(|lengths| write!(text, "\nlengths: `{lengths}`\n"));
    if !statements.is_empty() {
        let _ = write!(text, "\n```rebut-format\n{}\n```\n", statements.join("\n"));
    }
    Some(text)
}

fn inline_code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

fn describe_constant(file: &FormatFile, name: &str) -> Option<String> {
    file.tree.rules.iter().find_map(|rule| match rule {
        SyntaxRule::Let { name: constant, value, span } if constant == name => {
            let declaration = file.text.text_of(*span);
            let result = value.constant_value().map_or_else(String::new, |value| format!("\nvalue: `{value}`\n"));
            Some(format!("```rebut-format\n{declaration}\n```\nconstant\n{result}"))
        }
        _ => None,
    })
}

/// Returns the meanings of a word of the language. A word with several has the one that fits its line.
fn describe_word(file: &FormatFile, span: Span) -> Option<String> {
    let word = file.text.text_of(span);
    let at = file.words.iter().position(|other| other.span == span)?;
    let neighbour = |index: usize| file.words.get(index).map_or("", |other| file.spelling_of(other));
    let with_next = format!("{word} {}", neighbour(at + 1));
    let with_previous = format!("{} {word}", neighbour(at.checked_sub(1).unwrap_or(usize::MAX)));
    let named = |name: &str| vocabulary().filter(|known| known.name == name).collect::<Vec<_>>();
    let mut found =
        [named(&with_next), named(&with_previous), named(word)].into_iter().find(|list| !list.is_empty())?;
    if found.len() > 1 {
        let is_call = file.words.get(at + 1).is_some_and(|next| next.kind == FormatWordKind::Symbol("("));
        found.retain(|known| known.usage.contains(&format!("{}(", known.name)) == is_call);
    }
    let described = found.iter().map(|known| format!("```rebut-format\n{}\n```\n{}\n", known.usage, known.meaning));
    Some(described.collect::<Vec<_>>().join("\n")).filter(|text| !text.is_empty())
}

// Sample inputs of a format.

/// Number of steps, each about as expensive as a comparison, after which no sample is looked for any more.
const MAX_STEPS: u64 = 2_000_000;

/// Size of a sample in percent of the largest.
const GROWTH: u32 = 20;

/// Approximate maximum number of elements of a sample.
const MAX_ELEMENTS: usize = 40;

/// Returns a small input of a format as text. The same seed gives the same input.
///
/// # Errors
/// Returns an error that says why there is none.
pub fn generate_sample(format: &Format, seed: u64) -> Result<String, String> {
    let bounded = Format { stop_token: format.stop_token.with_steps(MAX_STEPS), ..format.clone() };
    let settings = GenerationSettings { growth: GROWTH, max_elements: MAX_ELEMENTS, ..GenerationSettings::default() };
    match generate_value(&GenerationPlan::new(&bounded), &mut Choices::from_seed(seed, 0), &settings) {
        Ok(generated) => Ok(String::from_utf8_lossy(&print_value(format, &generated.value)).into_owned()),
        Err(_) if bounded.stop_token.is_stopped() => Err("the constraints take too long to check".to_owned()),
        Err(GenerationError { message, .. }) => Err(message),
    }
}

/// Maximum number of characters of a sample on one line.
const MAX_TITLE: usize = 60;

/// Returns a sample on one line, shortened.
pub fn sample_on_one_line(sample: &str) -> String {
    let joined = sample.trim_end().replace('\n', " ↵ ");
    match joined.char_indices().nth(MAX_TITLE) {
        Some((end, _)) => format!("{}…", &joined[..end]),
        None => joined,
    }
}

// A format's text with the data that the answers about it share.

/// The text of a format, and what is known of it.
#[derive(Clone, Debug)]
pub struct FormatFile {
    /// The text.
    pub text: EditedText,
    /// All problems, errors and warnings, in the order of the text.
    pub problems: Vec<Diagnostic>,
    /// The format; `None` if the text has errors.
    pub format: Option<Format>,
    /// The syntax tree without the lines that have errors.
    pub(crate) tree: SyntaxTree,
    pub(crate) words: Vec<FormatWord>,
}

impl FormatFile {
    /// Analyzes a text. `name` is what messages call it.
    pub fn new(name: &str, text: EditedText) -> FormatFile {
        let source = SourceText::new(name, text.as_str().as_bytes());
        let (format, problems) = match Format::parse(&source) {
            Ok((format, warnings)) => (Some(format), warnings),
            Err(problems) => (None, problems),
        };
        let tree = SyntaxTree::parse_leniently(&source);
        let words = split_words(text.as_str());
        FormatFile { text, problems, format, tree, words }
    }

    /// Returns the name or keyword that contains a byte or ends there.
    pub(crate) fn name_at(&self, offset: usize) -> Option<(&str, FormatWord)> {
        let touches = |word: &&FormatWord| word.span.start <= offset && offset <= word.span.end;
        let word = self.words.iter().filter(touches).find(|word| word.kind == FormatWordKind::Name)?;
        Some((self.text.text_of(word.span), *word))
    }

    pub(crate) fn spelling_of(&self, word: &FormatWord) -> &str {
        self.text.text_of(word.span)
    }
}
