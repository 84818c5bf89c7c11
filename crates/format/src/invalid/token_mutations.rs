//! Inputs in which one token is malformed.

use super::layout_mutations::{SeedPool, is_malformed, splice_bytes};
use super::negated_format::ConstraintChecker;
use super::value_mutations::{ValueCell, cell_number, find_cells, find_leaves};
use super::{InvalidInputs, find_refusal};
use crate::generate::GenerationPlan;
use crate::language::{BlockId, DecimalPlaces, Field, FieldId, FieldKind, Format, LayoutItem, LineToken};
use crate::print::{locate_bytes, print_value};
use crate::value::{Value, visit_instances};

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

/// Generates an input for each malformed spelling of each field, each fixed word and each count.
pub(super) fn add_token_mutations(checker: &ConstraintChecker<'_>, pool: &SeedPool, found: &mut InvalidInputs) {
    let format = checker.format;
    for field in format.field_ids() {
        let tables: &[&[TokenMutation]] = match format.field(field).kind {
            FieldKind::Number => &[NUMBER_MUTATIONS, INTEGER_MUTATIONS],
            FieldKind::Real(_) => &[NUMBER_MUTATIONS, REAL_MUTATIONS],
            FieldKind::Words(_) => &[WORD_MUTATIONS],
            FieldKind::Text(_) => &[],
        };
        for mutation in tables.iter().copied().flatten() {
            add_token_mutation(checker, pool, field, mutation, found);
        }
        if format.field(field).alphabet().is_some() {
            add_bad_letter(checker, pool, field, found);
        }
    }
    add_wrong_counts(checker, pool, found);
    add_separated_tokens(checker, pool, found);
    add_unknown_alternatives(checker, pool, found);
}

fn add_token_mutation(
    checker: &ConstraintChecker<'_>,
    pool: &SeedPool,
    id: FieldId,
    mutation: &TokenMutation,
    found: &mut InvalidInputs,
) {
    let field = checker.format.field(id);
    let number = |f: FieldId| f == id;
    let broken = pool.seeds.iter().find_map(|value| {
        find_cells(checker.format, value, &number).into_iter().take(40).find_map(|cell| {
            let new = (mutation.mutate)(field, &field.format_number(cell_number(value, &cell)?))?;
            replace_cell_token(checker, value, &cell, new.as_bytes()).filter(|bytes| is_malformed(checker, bytes))
        })
    });
    // A field that is never zero, or has no digits to remove, does not have this spelling.
    let Some(broken) = broken else {
        let is_applicable = !matches!(mutation.name, "minus-zero" | "plus-sign") && mutation.name.contains("number");
        if is_applicable {
            found.add_layout_breach(
                format!("{}-{}", mutation.name, field.name),
                String::new(),
                None,
                "a token that is not glued to others",
            );
        }
        return;
    };
    let description = format!("`{}` {}", field.name, mutation.description);
    found.add_layout_breach(format!("{}-{}", mutation.name, field.name), description, Some(broken), "");
}

/// Prints a value with the token of a cell replaced.
fn replace_cell_token(checker: &ConstraintChecker<'_>, value: &Value, cell: &ValueCell, new: &[u8]) -> Option<Vec<u8>> {
    let range = locate_bytes(checker.format, value, &cell.path, cell.index);
    let bytes = print_value(checker.format, value);
    (!range.is_empty()).then(|| splice_bytes(&bytes, range.start, range.end, new))
}

/// Returns an input in which the first number of a field is replaced, or `None` if the reader accepts it.
pub(super) fn replace_first_number(
    checker: &ConstraintChecker<'_>,
    pool: &SeedPool,
    id: FieldId,
    new: &str,
) -> Option<Vec<u8>> {
    pool.seeds.iter().find_map(|value| {
        let cell = find_cells(checker.format, value, &|f| f == id).into_iter().next()?;
        replace_cell_token(checker, value, &cell, new.as_bytes())
            .filter(|bytes| find_refusal(checker.format, bytes).is_some())
    })
}

/// Generates a character outside the alphabet, close to one in it.
fn add_bad_letter(checker: &ConstraintChecker<'_>, pool: &SeedPool, id: FieldId, found: &mut InvalidInputs) {
    let field = checker.format.field(id);
    let letters = field.alphabet().unwrap_or_default();
    let swapped = |l: &u8| if l.is_ascii_lowercase() { l.to_ascii_uppercase() } else { l.to_ascii_lowercase() };
    let neighbors = |l: &u8| [l + 1, l.saturating_sub(1)];
    let all = letters.iter().map(swapped).chain(letters.iter().flat_map(neighbors)).chain(*b"?~\x7f");
    let tried: Vec<u8> = all.filter(|l| !letters.contains(l) && (l.is_ascii_graphic() || *l == 0x7f)).collect();
    let broken = pool.seeds.iter().find_map(|value| {
        find_cells(checker.format, value, &|f| f == id).into_iter().take(40).find_map(|cell| {
            let bytes = |letter: &u8| replace_cell_token(checker, value, &cell, &[*letter]);
            tried.iter().filter_map(bytes).find(|bytes| is_malformed(checker, bytes))
        })
    });
    let description = format!("`{}` has a character outside its alphabet", field.name);
    found.add_layout_breach(format!("{}-letter", field.name), description, broken, "a character that can be replaced");
}

/// Generates counts that announce one element more, or one fewer, than there are.
fn add_wrong_counts(checker: &ConstraintChecker<'_>, pool: &SeedPool, found: &mut InvalidInputs) {
    let format = checker.format;
    let plan = GenerationPlan::new(format);
    for id in format.field_ids().filter(|f| plan.is_size(*f)) {
        let field = format.field(id);
        if matches!(field.kind, FieldKind::Words(_)) {
            continue;
        }
        for (change, which) in [(1, "more"), (-1, "fewer")] {
            let broken = pool.seeds.iter().find_map(|value| {
                find_cells(format, value, &|f| f == id).into_iter().find_map(|cell| {
                    let number = cell_number(value, &cell)? + change;
                    let text = field.format_number(number);
                    let bytes = replace_cell_token(checker, value, &cell, text.as_bytes())?;
                    (field.range.contains_value(number) && is_malformed(checker, &bytes)).then_some(bytes)
                })
            });
            // A number with a single value cannot announce another one; its bounds are constraints of their own.
            if broken.is_some() || field.range.hi > field.range.lo {
                let description = format!("`{}` announces one element {which} than there are", field.name);
                found.add_layout_breach(
                    format!("{}-one-{which}-than-there-are", field.name),
                    description,
                    broken,
                    "another number in its range",
                );
            }
        }
    }
}

/// Generates a space between glued tokens.
fn add_separated_tokens(checker: &ConstraintChecker<'_>, pool: &SeedPool, found: &mut InvalidInputs) {
    let format = checker.format;
    for block in format.block_ids() {
        let lines = format.block(block).items.iter().filter_map(|item| match item {
            LayoutItem::Line(parts) => Some(parts),
            _ => None,
        });
        for part in lines.flatten().filter(|part| part.is_glued) {
            let Some(id) = part.field() else { continue };
            let broken = pool.seeds.iter().find_map(|value| {
                let leaf = find_leaves(format, value, &|f| f == id).into_iter().next()?;
                let range = locate_bytes(format, value, &leaf.path, None);
                let bytes = print_value(format, value);
                Some(splice_bytes(&bytes, range.start, range.start, b" ")).filter(|b| is_malformed(checker, b))
            });
            let name = &format.field(id).name;
            let description = format!("there is a space before `{name}`");
            found.add_layout_breach(format!("space-before-{name}"), description, broken, "an input that contains it");
        }
    }
}

/// Generates a line that starts like none of the alternatives.
fn add_unknown_alternatives(checker: &ConstraintChecker<'_>, pool: &SeedPool, found: &mut InvalidInputs) {
    let format = checker.format;
    let eithers = format.blocks.iter().flat_map(|block| &block.items).filter_map(|item| match item {
        LayoutItem::Either(children) => Some(children),
        _ => None,
    });
    for children in eithers {
        let starts: Vec<&[u8]> = children.iter().filter_map(|child| first_literal(format, *child)).collect();
        if starts.is_empty() {
            continue;
        }
        let broken_by = |new_starts: &dyn Fn(&[u8]) -> Vec<Vec<u8>>| {
            pool.seeds.iter().find_map(|value| {
                let (child, at) =
                    children.iter().find_map(|child| Some((*child, first_instance_start(format, value, *child)?)))?;
                let old = first_literal(format, child)?;
                let bytes = print_value(format, value);
                let tried = new_starts(old).into_iter().filter(|new| !starts.contains(&new.as_slice()));
                let tried = tried.map(|new| splice_bytes(&bytes, at, at + old.len(), &new));
                tried.into_iter().find(|bytes| is_malformed(checker, bytes))
            })
        };
        if let Some(broken) = broken_by(&|old| vec![swap_letter_case(old)]) {
            let description = "the start of a line differs from an alternative only by case".to_owned();
            found.add_layout_breach("alternative-case".to_owned(), description, Some(broken), "");
        }
        let broken = broken_by(&|_| unknown_starts(&starts));
        let description = "a line does not start like any of the alternatives".to_owned();
        found.add_layout_breach(
            "alternative-unknown".to_owned(),
            description,
            broken,
            "a line that starts with a fixed word",
        );
    }
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
    let mut first = None;
    visit_instances(format, value, block, &mut |path, _| {
        first.get_or_insert_with(|| path.to_vec());
    });
    Some(locate_bytes(format, value, &first?, None)).filter(|range| !range.is_empty()).map(|range| range.start)
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
