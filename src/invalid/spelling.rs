//! Inputs in which one token is not written as it has to be.

use super::cells::{Cell, cells, get, leaves};
use super::judge::Judge;
use super::layout::{is_malformed, spliced};
use super::pool::Pool;
use super::{Invalids, refusal};
use crate::format::{BlockId, Decimals, Field, FieldId, Format, Item, Kind, Token};
use crate::generate::Plan;
use crate::print::{locate, print};
use crate::value::{Value, each_instance};

/// A wrong way to write a token.
struct Spelling {
    name: &'static str,
    what: &'static str,
    /// What a token becomes; none if it cannot be spelt so.
    change: fn(&Field, &str) -> Option<String>,
}

const NUMBERS: &[Spelling] = &[
    Spelling { name: "leading-zero", what: "has a leading zero", change: |_, text| Some(after_sign(text, "0")) },
    Spelling {
        name: "plus-sign",
        what: "has a plus sign",
        change: |_, text| (!text.starts_with('-')).then(|| format!("+{text}")),
    },
    Spelling {
        name: "minus-zero",
        what: "is zero with a minus sign",
        change: |_, text| (text.trim_matches(['0', '.']).is_empty()).then(|| format!("-{text}")),
    },
    Spelling { name: "not-a-number", what: "is no number", change: |_, _| Some("x".to_owned()) },
    Spelling {
        name: "letter-behind-number",
        what: "has a letter behind its digits",
        change: |_, text| Some(format!("{text}a")),
    },
    Spelling { name: "exponent", what: "has an exponent", change: |_, text| Some(format!("{text}e0")) },
];

const WHOLE: &[Spelling] =
    &[Spelling { name: "decimal-point", what: "has a decimal point", change: |_, text| Some(format!("{text}.0")) }];

const REALS: &[Spelling] = &[
    Spelling {
        name: "decimals-too-many",
        what: "has too many digits after the point",
        change: |field, text| Some(lengthened(text, field.decimals().most as usize + 1)),
    },
    Spelling {
        name: "decimals-too-few",
        what: "has too few digits after the point",
        change: |field, text| {
            let Decimals { least, .. } = field.decimals();
            let (whole, digits) = text.split_once('.')?;
            let kept = (least as usize).checked_sub(1)?;
            Some(if kept == 0 { whole.to_owned() } else { format!("{whole}.{}", &digits[..kept]) })
        },
    },
    Spelling {
        name: "no-digit-before-point",
        what: "has no digit before its point",
        change: |_, text| {
            text.replacen("0.", ".", 1)
                .ne(text)
                .then(|| text.replacen("0.", ".", 1))
                .filter(|t| t.trim_start_matches('-').starts_with('.'))
        },
    },
    Spelling {
        name: "no-digit-behind-point",
        what: "has no digit behind its point",
        change: |_, text| Some(format!("{}.", text.split('.').next().unwrap_or(text))),
    },
    Spelling {
        name: "decimal-comma",
        what: "has a comma for a point",
        change: |_, text| text.contains('.').then(|| text.replace('.', ",")),
    },
];

const WORDS: &[Spelling] = &[
    Spelling {
        name: "word-case",
        what: "is none of the words but for the case of letters",
        change: word_in_other_case,
    },
    Spelling { name: "word-unknown", what: "is none of the words", change: longer_word },
];

/// Makes an input for each wrong way to write each field, each fixed word and each count.
pub(super) fn break_spelling(judge: &Judge<'_>, pool: &Pool, found: &mut Invalids) {
    let format = judge.format;
    for field in (0..format.fields.len()).map(FieldId) {
        let tables: &[&[Spelling]] = match format.field(field).kind {
            Kind::Number => &[NUMBERS, WHOLE],
            Kind::Real(_) => &[NUMBERS, REALS],
            Kind::Words(_) => &[WORDS],
            Kind::Text(_) => &[],
        };
        for spelling in tables.iter().copied().flatten() {
            spell(judge, pool, field, spelling, found);
        }
        if format.field(field).letters().is_some() {
            bad_letter(judge, pool, field, found);
        }
    }
    counts(judge, pool, found);
    glued(judge, pool, found);
    alternatives(judge, pool, found);
}

fn spell(judge: &Judge<'_>, pool: &Pool, id: FieldId, spelling: &Spelling, found: &mut Invalids) {
    let field = judge.format.field(id);
    let number = |f: FieldId| f == id;
    let broken = pool.values.iter().find_map(|value| {
        cells(judge.format, value, &number).into_iter().take(40).find_map(|cell| {
            let new = (spelling.change)(field, &field.number_text(get(value, &cell)?))?;
            in_place(judge, value, &cell, new.as_bytes()).filter(|bytes| is_malformed(judge, bytes))
        })
    });
    // A field that is never zero, or that has no digits to lose, has no such spelling.
    let Some(broken) = broken else {
        let always = !matches!(spelling.name, "minus-zero" | "plus-sign") && spelling.name.contains("number");
        if always {
            found.add(
                format!("{}-{}", spelling.name, field.name),
                String::new(),
                None,
                "one that is not glued to others",
            );
        }
        return;
    };
    let what = format!("`{}` {}", field.name, spelling.what);
    found.add(format!("{}-{}", spelling.name, field.name), what, Some(broken), "");
}

/// The printed value with the token of a cell replaced.
fn in_place(judge: &Judge<'_>, value: &Value, cell: &Cell, new: &[u8]) -> Option<Vec<u8>> {
    let place = locate(judge.format, value, &cell.path, cell.index);
    let bytes = print(judge.format, value);
    (!place.is_empty()).then(|| spliced(&bytes, place.start, place.end, new))
}

/// An input in which the first number of a field is another one; none if the reader would accept that.
pub(super) fn respelt(judge: &Judge<'_>, pool: &Pool, id: FieldId, new: &str) -> Option<Vec<u8>> {
    pool.values.iter().find_map(|value| {
        let cell = cells(judge.format, value, &|f| f == id).into_iter().next()?;
        in_place(judge, value, &cell, new.as_bytes()).filter(|bytes| refusal(judge.format, bytes).is_some())
    })
}

/// A character that is none of the letters, but near to one.
fn bad_letter(judge: &Judge<'_>, pool: &Pool, id: FieldId, found: &mut Invalids) {
    let field = judge.format.field(id);
    let letters = field.letters().unwrap_or_default();
    let swapped = |l: &u8| if l.is_ascii_lowercase() { l.to_ascii_uppercase() } else { l.to_ascii_lowercase() };
    let beside = |l: &u8| [l + 1, l.saturating_sub(1)];
    let all = letters.iter().map(swapped).chain(letters.iter().flat_map(beside)).chain(*b"?~\x7f");
    let tried: Vec<u8> = all.filter(|l| !letters.contains(l) && (l.is_ascii_graphic() || *l == 0x7f)).collect();
    let broken = pool.values.iter().find_map(|value| {
        cells(judge.format, value, &|f| f == id).into_iter().take(40).find_map(|cell| {
            let bytes = |letter: &u8| in_place(judge, value, &cell, &[*letter]);
            tried.iter().filter_map(bytes).find(|bytes| is_malformed(judge, bytes))
        })
    });
    let what = format!("`{}` has a character that is none of its letters", field.name);
    found.add(format!("{}-letter", field.name), what, broken, "a character that can be exchanged");
}

/// A number that announces one more, or one fewer, than there are.
fn counts(judge: &Judge<'_>, pool: &Pool, found: &mut Invalids) {
    let format = judge.format;
    let plan = Plan::new(format);
    for id in (0..format.fields.len()).map(FieldId).filter(|f| plan.is_size(*f)) {
        let field = format.field(id);
        if matches!(field.kind, Kind::Words(_)) {
            continue;
        }
        for (change, which) in [(1, "more"), (-1, "fewer")] {
            let broken = pool.values.iter().find_map(|value| {
                cells(format, value, &|f| f == id).into_iter().find_map(|cell| {
                    let number = get(value, &cell)? + change;
                    let text = field.number_text(number);
                    let bytes = in_place(judge, value, &cell, text.as_bytes())?;
                    (field.range.contains(number) && is_malformed(judge, &bytes)).then_some(bytes)
                })
            });
            // A number with only one value cannot announce another; its bounds are constraints of their own.
            if broken.is_some() || field.range.hi > field.range.lo {
                let what = format!("`{}` announces one {which} than there are", field.name);
                found.add(
                    format!("{}-one-{which}-than-there-are", field.name),
                    what,
                    broken,
                    "another number in its range",
                );
            }
        }
    }
}

/// A space between what stands together.
fn glued(judge: &Judge<'_>, pool: &Pool, found: &mut Invalids) {
    let format = judge.format;
    for block in (0..format.blocks.len()).map(BlockId) {
        let lines = format.block(block).items.iter().filter_map(|item| match item {
            Item::Line(parts) => Some(parts),
            _ => None,
        });
        for part in lines.flatten().filter(|part| part.glued) {
            let Token::Field(id) = part.token else { continue };
            let broken = pool.values.iter().find_map(|value| {
                let leaf = leaves(format, value, &|f| f == id).into_iter().next()?;
                let place = locate(format, value, &leaf.path, None);
                let bytes = print(format, value);
                Some(spliced(&bytes, place.start, place.start, b" ")).filter(|b| is_malformed(judge, b))
            });
            let name = &format.field(id).name;
            let what = format!("there is a space before `{name}`");
            found.add(format!("space-before-{name}"), what, broken, "a place where it stands");
        }
    }
}

/// A start of a line that is that of no alternative.
fn alternatives(judge: &Judge<'_>, pool: &Pool, found: &mut Invalids) {
    let format = judge.format;
    let eithers = format.blocks.iter().flat_map(|block| &block.items).filter_map(|item| match item {
        Item::Either(children) => Some(children),
        _ => None,
    });
    for children in eithers {
        let starts: Vec<&[u8]> = children.iter().filter_map(|child| first_literal(format, *child)).collect();
        if starts.is_empty() {
            continue;
        }
        let broken_by = |new_starts: &dyn Fn(&[u8]) -> Vec<Vec<u8>>| {
            pool.values.iter().find_map(|value| {
                let (child, at) = children.iter().find_map(|child| Some((*child, start_of(format, value, *child)?)))?;
                let old = first_literal(format, child)?;
                let bytes = print(format, value);
                let tried = new_starts(old).into_iter().filter(|new| !starts.contains(&new.as_slice()));
                let tried = tried.map(|new| spliced(&bytes, at, at + old.len(), &new));
                tried.into_iter().find(|bytes| is_malformed(judge, bytes))
            })
        };
        if let Some(broken) = broken_by(&|old| vec![swapped_case(old)]) {
            let what = "a line starts like an alternative but for the case of letters".to_owned();
            found.add("alternative-case".to_owned(), what, Some(broken), "");
        }
        let broken = broken_by(&|_| unknown_starts(&starts));
        let what = "a line starts like none of the alternatives".to_owned();
        found.add("alternative-unknown".to_owned(), what, broken, "a line that starts with a fixed word");
    }
}

/// Starts that are near to those that there are.
fn unknown_starts(starts: &[&[u8]]) -> Vec<Vec<u8>> {
    let numbers = starts.iter().filter_map(|s| std::str::from_utf8(s).ok()?.parse::<i64>().ok());
    let next = numbers.max().map(|most| (most + 1).to_string().into_bytes());
    let words = starts.iter().map(|s| [s, &b"x"[..]].concat());
    next.into_iter().chain(words).collect()
}

fn swapped_case(text: &[u8]) -> Vec<u8> {
    text.iter().map(|b| if b.is_ascii_lowercase() { b.to_ascii_uppercase() } else { b.to_ascii_lowercase() }).collect()
}

/// The fixed characters that an alternative starts with.
fn first_literal(format: &Format, block: BlockId) -> Option<&[u8]> {
    let Some(Item::Line(parts)) = format.block(block).items.first() else { return None };
    match &parts.first()?.token {
        Token::Literal(text) => Some(text),
        Token::Field(_) => None,
    }
}

/// Where the first instance of a block starts.
fn start_of(format: &Format, value: &Value, block: BlockId) -> Option<usize> {
    let mut first = None;
    each_instance(format, value, block, &mut |path, _| {
        first.get_or_insert_with(|| path.to_vec());
    });
    Some(locate(format, value, &first?, None)).filter(|place| !place.is_empty()).map(|place| place.start)
}

fn after_sign(text: &str, new: &str) -> String {
    match text.strip_prefix('-') {
        Some(digits) => format!("-{new}{digits}"),
        None => format!("{new}{text}"),
    }
}

/// With zeros at the end until there are so many digits after the point.
fn lengthened(text: &str, digits: usize) -> String {
    let (whole, after) = text.split_once('.').unwrap_or((text, ""));
    format!("{whole}.{after:0<digits$}")
}

/// One of the field's words with capitals for small letters, and the other way round.
fn word_in_other_case(field: &Field, text: &str) -> Option<String> {
    let swapped = String::from_utf8_lossy(&swapped_case(text.as_bytes())).into_owned();
    let is_word = |new: &String| field.words().is_some_and(|words| words.iter().any(|word| word == new.as_bytes()));
    Some(swapped).filter(|new| *new != text && !is_word(new))
}

/// One of the field's words with a letter more.
fn longer_word(field: &Field, text: &str) -> Option<String> {
    let words = field.words()?;
    Some(format!("{text}x")).filter(|new| !words.iter().any(|word| word == new.as_bytes()))
}
