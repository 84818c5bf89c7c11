//! The kinds of values: a real number, a string of lowercase letters, one of some words.

use super::markup::Markup;
use super::sentences::subjects_text;
use super::{StatementWriter, inline_math};
use crate::language::{FieldId, FieldKind};
use crate::syntax::{SyntaxFieldKind, SyntaxTerm, SyntaxTermKind};
use rebut_diagnostics::{count_with_noun, list_or};

/// Minimum number of consecutive letters that are written as a range.
const MIN_RANGE_LENGTH: usize = 4;

impl StatementWriter<'_> {
    /// Returns the kinds of some fields; those of one kind share a sentence.
    pub(super) fn kind_texts(&self, names: &[SyntaxTerm], of: &SyntaxFieldKind) -> Vec<String> {
        let mut kinds: Vec<(String, Vec<String>)> = Vec::new();
        for name in names {
            let SyntaxTermKind::Name(name) = &name.kind else { continue };
            let Some(field) = self.tex.field(name) else { continue };
            let (kind, element) =
                (self.kind_text(of, field), self.tex.any_element(field, self.tex.names.outer_dimensions(field)));
            match kinds.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, elements)) => elements.push(element),
                None => kinds.push((kind, vec![element])),
            }
        }
        kinds.iter().map(|(kind, elements)| subjects_text(elements, kind)).collect()
    }

    /// Returns the sentence about the numbers without another kind, if there are any.
    pub(super) fn integers_sentence(&self) -> Option<String> {
        let is_any =
            |is_kind: fn(&FieldKind) -> bool| self.tex.names.format.fields.iter().any(|field| is_kind(&field.kind));
        let others = match is_any(|kind| matches!(kind, FieldKind::Real(_))) {
            true => "All other numbers are integers.",
            false => "All numbers are integers.",
        };
        is_any(|kind| matches!(kind, FieldKind::Number)).then(|| others.to_owned())
    }

    fn kind_text(&self, of: &SyntaxFieldKind, field: FieldId) -> String {
        let names = self.tex.names;
        let letters_size = || match names.find_dimension(field, names.outer_dimensions(field)) {
            Some(size) => self.tex.term_tex(size),
            None => String::new(),
        };
        match of {
            SyntaxFieldKind::Real(digits) => {
                let [least, most] = [&digits.0, &digits.1].map(|end| end.constant_value().unwrap_or_default());
                let count = count_with_noun(usize::try_from(most).unwrap_or_default(), "digit");
                let count = match least {
                    least if least == most => format!("exactly {count}"),
                    0 => format!("at most {count}"),
                    least => format!("{least} to {count}"),
                };
                format!("a real number with {count} after the decimal point")
            }
            SyntaxFieldKind::Words(words) => {
                list_or(&words.iter().map(|(word, _)| self.markup.format_code(word)).collect::<Vec<_>>())
            }
            SyntaxFieldKind::Pattern(pattern, _) => {
                let size = letters_size();
                let of_size =
                    if size.is_empty() { String::new() } else { format!(" of {} characters", inline_math(&size)) };
                let pattern = self.markup.format_code(pattern.as_bytes());
                format!("a string{of_size} that matches the regular expression {pattern} as a whole")
            }
            SyntaxFieldKind::Letters(..) => {
                let letters = name_letters(names.format.field(field).alphabet().unwrap_or_default(), self.markup);
                let size = match letters_size() {
                    size if size == "1" => return list_or(&letters),
                    size if size.is_empty() => size,
                    size => inline_math(&size) + " ",
                };
                match &letters[..] {
                    [letter] if let Some((_, noun)) = letter.split_once(' ').filter(|_| letter.starts_with('a')) => {
                        format!("a string of {size}{noun}s")
                    }
                    _ => format!("a string of {size}characters, each {}", list_or(&letters)),
                }
            }
        }
    }
}

/// Returns the names of the characters of an alphabet: `a lowercase English letter`, `` `.` ``, ``one of `0` to `5` ``.
fn name_letters(alphabet: &[u8], markup: Markup) -> Vec<String> {
    let mut left: Vec<u8> = alphabet.to_vec();
    let mut names: Vec<String> = Vec::new();
    let classes = [
        ("a lowercase English letter", b'a'..=b'z'),
        ("an uppercase English letter", b'A'..=b'Z'),
        ("a digit", b'0'..=b'9'),
        ("a space", b' '..=b' '),
    ];
    for (name, range) in classes {
        if range.clone().all(|letter| alphabet.contains(&letter)) {
            left.retain(|letter| !range.contains(letter));
            names.push(name.to_owned());
        }
    }
    for run in left.chunk_by(|a, b| *b == a.wrapping_add(1)) {
        match run {
            [first, .., last] if run.len() >= MIN_RANGE_LENGTH => {
                let [first, last] = [first, last].map(|letter| markup.format_code(&[*letter]));
                names.push(format!("one of {first} to {last}"));
            }
            _ => names.extend(run.iter().map(|letter| markup.format_code(&[*letter]))),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alphabets_are_named_in_words() {
        let words = |alphabet: &[u8]| list_or(&name_letters(alphabet, Markup::Markdown));
        let lower: Vec<u8> = (b'a'..=b'z').collect();
        assert_eq!(words(&lower), "a lowercase English letter");
        assert_eq!(words(b".#S"), "`.`, `#` or `S`");
        assert_eq!(words(b"012345x"), "one of `0` to `5` or `x`");
        let with_space: Vec<u8> = lower.iter().copied().chain(*b" .").collect();
        assert_eq!(words(&with_space), "a lowercase English letter, a space or `.`");
    }
}
