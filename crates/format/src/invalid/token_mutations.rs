//! Inputs in which one token is malformed.

use super::find_refusal;
use super::layout_mutations::{LayoutBreaker, SeedPool, splice_bytes};
use super::value_mutations::{cell_number, find_cells, find_leaves};
use crate::generate::GenerationPlan;
use crate::language::{BlockId, DecimalPlaces, Field, FieldId, FieldKind, Format, LayoutItem, LinePart, LineToken};
use crate::print::{locate_bytes, print_value};
use crate::tuning::MAX_MUTATED_CELLS;
use crate::value::{Value, instance_paths};

/// A wrong way to write a token.
struct TokenMutation {
    name: &'static str,
    description: &'static str,
    /// Returns the malformed token, or `None` if the mutation does not apply.
    mutate: fn(&Field, &str) -> Option<String>,
}

const NUMBER_MUTATIONS: &[TokenMutation] = &[
    TokenMutation {
        name: "leading-zero",
        description: "has a leading zero",
        mutate: |_, text| Some(insert_after_sign(text, "0")),
    },
    TokenMutation {
        name: "plus-sign",
        description: "has a plus sign",
        mutate: |_, text| (!text.starts_with('-')).then(|| format!("+{text}")),
    },
    TokenMutation {
        name: "minus-zero",
        description: "is zero with a minus sign",
        mutate: |_, text| (text.trim_matches(['0', '.']).is_empty()).then(|| format!("-{text}")),
    },
    TokenMutation { name: "not-a-number", description: "is not a number", mutate: |_, _| Some("x".to_owned()) },
    TokenMutation {
        name: "letter-behind-number",
        description: "has a letter after its digits",
        mutate: |_, text| Some(format!("{text}a")),
    },
    TokenMutation { name: "exponent", description: "has an exponent", mutate: |_, text| Some(format!("{text}e0")) },
];

const INTEGER_MUTATIONS: &[TokenMutation] = &[TokenMutation {
    name: "decimal-point",
    description: "has a decimal point",
    mutate: |_, text| Some(format!("{text}.0")),
}];

const REAL_MUTATIONS: &[TokenMutation] = &[
    TokenMutation {
        name: "decimals-too-many",
        description: "has too many digits after the point",
        mutate: |field, text| Some(pad_decimals(text, field.decimal_places().max as usize + 1)),
    },
    TokenMutation {
        name: "decimals-too-few",
        description: "has too few digits after the point",
        mutate: |field, text| {
            let DecimalPlaces { min: min_places, .. } = field.decimal_places();
            let (whole, digits) = text.split_once('.')?;
            let kept = (min_places as usize).checked_sub(1)?;
            Some(if kept == 0 { whole.to_owned() } else { format!("{whole}.{}", &digits[..kept]) })
        },
    },
    TokenMutation {
        name: "no-digit-before-point",
        description: "has no digit before its point",
        mutate: |_, text| {
            text.replacen("0.", ".", 1)
                .ne(text)
                .then(|| text.replacen("0.", ".", 1))
                .filter(|t| t.trim_start_matches('-').starts_with('.'))
        },
    },
    TokenMutation {
        name: "no-digit-behind-point",
        description: "has no digit after its point",
        mutate: |_, text| Some(format!("{}.", text.split('.').next().unwrap_or(text))),
    },
    TokenMutation {
        name: "decimal-comma",
        description: "has a comma instead of a point",
        mutate: |_, text| text.contains('.').then(|| text.replace('.', ",")),
    },
];

const WORD_MUTATIONS: &[TokenMutation] = &[
    TokenMutation {
        name: "word-case",
        description: "differs from the allowed words only by case",
        mutate: swap_word_case,
    },
    TokenMutation { name: "word-unknown", description: "is not one of the allowed words", mutate: lengthen_word },
];

impl LayoutBreaker<'_> {
    /// Generates an input for each malformed spelling of each field, each fixed word and each count.
    pub(super) fn add_token_mutations(&mut self) {
        for id in self.format.field_ids() {
            let field = self.format.field(id);
            let tables: &[&[TokenMutation]] = match field.kind {
                FieldKind::Number => &[NUMBER_MUTATIONS, INTEGER_MUTATIONS],
                FieldKind::Real(_) => &[NUMBER_MUTATIONS, REAL_MUTATIONS],
                FieldKind::Words(_) => &[WORD_MUTATIONS],
                FieldKind::Text(_) => &[],
            };
            for mutation in tables.iter().copied().flatten() {
                self.add_token_mutation(id, mutation);
            }
            if field.alphabet().is_some() {
                self.add_bad_letter(id);
            }
        }
        self.add_wrong_counts();
        self.add_separated_tokens();
        self.add_unknown_alternatives();
    }

    /// Returns the first malformed input in which a token of a field is replaced. `mutate` gets the number of the
    /// token, or the code of the character, and returns what to write instead.
    fn replace_token<I: IntoIterator<Item = Vec<u8>>>(
        &self,
        field: FieldId,
        max_cells: usize,
        mutate: impl Fn(i128) -> I,
    ) -> Option<Vec<u8>> {
        let (format, mutate) = (self.format, &mutate);
        self.find_malformed(|value, bytes| {
            let cells = find_cells(format, value, &|f| f == field).into_iter().take(max_cells);
            cells.flat_map(move |cell| {
                let range = locate_bytes(format, value, &cell.path, cell.index);
                let number = cell_number(value, &cell).filter(|_| !range.is_empty());
                let tokens = number.map(mutate).into_iter().flatten();
                tokens.map(move |new| splice_bytes(bytes, range.start, range.end, &new))
            })
        })
    }

    fn add_token_mutation(&mut self, id: FieldId, mutation: &TokenMutation) {
        let field = self.format.field(id);
        let broken = self.replace_token(id, MAX_MUTATED_CELLS, |number| {
            (mutation.mutate)(field, &field.format_number(number)).map(String::into_bytes)
        });
        // A field that is never zero, or has no digits to remove, does not have this spelling.
        if broken.is_some() || mutation.name.contains("number") {
            let name = format!("{}-{}", mutation.name, field.name);
            let description = format!("`{}` {}", field.name, mutation.description);
            self.add_breach(name, description, broken, "a token that is not glued to others");
        }
    }

    /// Generates a character outside the alphabet, close to one in it.
    fn add_bad_letter(&mut self, id: FieldId) {
        let field = self.format.field(id);
        let letters = field.alphabet().unwrap_or_default();
        let neighbors = letters.iter().flat_map(|l| [l + 1, l.saturating_sub(1)]);
        let all = swap_letter_case(letters).into_iter().chain(neighbors).chain(*b"?~\x7f");
        let tried: Vec<u8> = all.filter(|l| !letters.contains(l) && (l.is_ascii_graphic() || *l == 0x7f)).collect();
        let broken = self.replace_token(id, MAX_MUTATED_CELLS, |_| tried.iter().map(|letter| vec![*letter]));
        let description = format!("`{}` has a character outside its alphabet", field.name);
        self.add_breach(format!("{}-letter", field.name), description, broken, "a character that can be replaced");
    }

    /// Generates counts that announce one element more, or one fewer, than there are.
    fn add_wrong_counts(&mut self) {
        let plan = GenerationPlan::new(self.format);
        for id in self.format.field_ids().filter(|f| plan.is_size(*f)) {
            let field = self.format.field(id);
            if matches!(field.kind, FieldKind::Words(_)) {
                continue;
            }
            for (change, which) in [(1, "more"), (-1, "fewer")] {
                let broken = self.replace_token(id, usize::MAX, |number| {
                    let other = Some(number + change).filter(|other| field.range.contains_value(*other));
                    other.map(|other| field.format_number(other).into_bytes())
                });
                // A number with a single value cannot announce another one; its bounds are constraints of their own.
                if broken.is_some() || field.range.hi > field.range.lo {
                    let name = format!("{}-one-{which}-than-there-are", field.name);
                    let description = format!("`{}` announces one element {which} than there are", field.name);
                    self.add_breach(name, description, broken, "another number in its range");
                }
            }
        }
    }

    /// Generates a space between glued tokens.
    fn add_separated_tokens(&mut self) {
        let format = self.format;
        let lines = format.blocks.iter().flat_map(|block| &block.items).filter_map(LayoutItem::line);
        for id in lines.flatten().filter(|part| part.is_glued).filter_map(LinePart::field) {
            let broken = self.find_malformed(|value, bytes| {
                let leaf = find_leaves(format, value, &|f| f == id).into_iter().next()?;
                let start = locate_bytes(format, value, &leaf.path, None).start;
                Some(splice_bytes(bytes, start, start, b" "))
            });
            let name = &format.field(id).name;
            let description = format!("there is a space before `{name}`");
            self.add_breach(format!("space-before-{name}"), description, broken, "an input that contains it");
        }
    }

    /// Generates a line that starts like none of the alternatives.
    fn add_unknown_alternatives(&mut self) {
        let format = self.format;
        for item in format.blocks.iter().flat_map(|block| &block.items) {
            let LayoutItem::Either(children) = item else { continue };
            let starts: Vec<&[u8]> = children.iter().filter_map(|child| first_literal(format, *child)).collect();
            if starts.is_empty() {
                continue;
            }
            let broken_by = |new_starts: &dyn Fn(&[u8]) -> Vec<Vec<u8>>| {
                self.find_malformed(|value, bytes| {
                    let start = |child: &BlockId| Some((*child, first_instance_start(format, value, *child)?));
                    let found = children.iter().find_map(start);
                    let found = found.and_then(|(child, at)| Some((first_literal(format, child)?, at)));
                    let splice = |(old, at): (&[u8], usize)| {
                        let tried = new_starts(old).into_iter().filter(|new| !starts.contains(&new.as_slice()));
                        tried.map(|new| splice_bytes(bytes, at, at + old.len(), &new)).collect()
                    };
                    found.map_or(Vec::new(), splice)
                })
            };
            let other_case = broken_by(&|old| vec![swap_letter_case(old)]);
            let unknown = broken_by(&|_| unknown_starts(&starts));
            if other_case.is_some() {
                let description = "the start of a line differs from an alternative only by case";
                self.add_breach("alternative-case", description, other_case, "");
            }
            let description = "a line does not start like any of the alternatives";
            self.add_breach("alternative-unknown", description, unknown, "a line that starts with a fixed word");
        }
    }
}

/// Returns an input in which the first number of a field is replaced, or `None` if the reader accepts it.
pub(super) fn replace_first_number(format: &Format, pool: &SeedPool, id: FieldId, new: &str) -> Option<Vec<u8>> {
    pool.seeds.iter().find_map(|value| {
        let cell = find_cells(format, value, &|f| f == id).into_iter().next()?;
        let range = locate_bytes(format, value, &cell.path, cell.index);
        let bytes = splice_bytes(&print_value(format, value), range.start, range.end, new.as_bytes());
        Some(bytes).filter(|bytes| !range.is_empty() && find_refusal(format, bytes).is_some())
    })
}

/// Returns starts of lines close to the existing ones.
fn unknown_starts(starts: &[&[u8]]) -> Vec<Vec<u8>> {
    let numbers = starts.iter().filter_map(|s| std::str::from_utf8(s).ok()?.parse::<i64>().ok());
    let next = numbers.max().map(|max| (max + 1).to_string().into_bytes());
    let words = starts.iter().map(|s| [s, &b"x"[..]].concat());
    next.into_iter().chain(words).collect()
}

fn swap_letter_case(text: &[u8]) -> Vec<u8> {
    text.iter().map(|b| if b.is_ascii_lowercase() { b.to_ascii_uppercase() } else { b.to_ascii_lowercase() }).collect()
}

/// Returns the literal that an alternative starts with.
fn first_literal(format: &Format, block: BlockId) -> Option<&[u8]> {
    let Some(LayoutItem::Line(parts)) = format.block(block).items.first() else { return None };
    match &parts.first()?.token {
        LineToken::Literal(text) => Some(text),
        LineToken::Field(_) => None,
    }
}

fn first_instance_start(format: &Format, value: &Value, block: BlockId) -> Option<usize> {
    let range = locate_bytes(format, value, instance_paths(format, value, block).first()?, None);
    (!range.is_empty()).then_some(range.start)
}

fn insert_after_sign(text: &str, new: &str) -> String {
    match text.strip_prefix('-') {
        Some(digits) => format!("-{new}{digits}"),
        None => format!("{new}{text}"),
    }
}

/// Pads a number with zeros up to this many digits after the point.
fn pad_decimals(text: &str, digits: usize) -> String {
    let (whole, after) = text.split_once('.').unwrap_or((text, ""));
    format!("{whole}.{after:0<digits$}")
}

/// Swaps the case of a word, unless the result is another word.
fn swap_word_case(field: &Field, text: &str) -> Option<String> {
    let swapped = String::from_utf8_lossy(&swap_letter_case(text.as_bytes())).into_owned();
    let is_word =
        |new: &String| field.word_choices().is_some_and(|words| words.iter().any(|word| word == new.as_bytes()));
    Some(swapped).filter(|new| *new != text && !is_word(new))
}

/// Appends a letter to a word, unless the result is another word.
fn lengthen_word(field: &Field, text: &str) -> Option<String> {
    let words = field.word_choices()?;
    Some(format!("{text}x")).filter(|new| !words.iter().any(|word| word == new.as_bytes()))
}
