//! Inputs with wrong lines or white space: a small valid input changed in one place.

use super::negated_format::ConstraintChecker;
use super::{BrokenRule, InvalidInput, InvalidInputs, UnbrokenRule, find_refusal};
use crate::generate::{Extreme, GenerationError, GenerationPlan, GenerationSettings, generate_value};
use crate::language::{BlockId, Format, InstanceCount, LayoutItem};
use crate::print::print_value;
use crate::read::read_input;
use crate::tuning::{MAX_FAILED_DRAWS, MAX_INSTANCE_COPIES, MAX_OCCURRENCES, MAX_SEED_ELEMENTS, MAX_SEEDS};
use crate::value::{InstanceList, Measure, Value, visit_instances};
use rebut_generators::Choices;

/// A layout rule, and the ways to violate it in an input. Each is tried until the reader rejects one.
struct LayoutMutation {
    name: &'static str,
    description: &'static str,
    /// The property of an input that this mutation needs.
    requirement: &'static str,
    mutate: fn(&[u8]) -> Vec<Vec<u8>>,
}

const LAYOUT_MUTATIONS: &[LayoutMutation] = &[
    LayoutMutation {
        name: "crlf",
        description: "every line ends with a carriage return and a newline",
        requirement: "a line",
        mutate: |bytes| vec![replace_line_ends(bytes, b"\n", b"\r\n")],
    },
    LayoutMutation {
        name: "no-final-newline",
        description: "the last line does not end with a newline",
        requirement: "a line",
        mutate: |bytes| bytes.strip_suffix(b"\n").map(<[u8]>::to_vec).into_iter().collect(),
    },
    LayoutMutation {
        name: "trailing-space",
        description: "there is a space at the end of a line",
        requirement: "a line that is not text with spaces",
        mutate: |bytes| replace_each_occurrence(bytes, b"\n", b" \n"),
    },
    LayoutMutation {
        name: "leading-space",
        description: "there is a space at the start of a line",
        requirement: "a line that is not text with spaces",
        mutate: |bytes| insert_at_line_starts(bytes, b" "),
    },
    LayoutMutation {
        name: "double-space",
        description: "there are two spaces between two tokens",
        requirement: "a line of two tokens",
        mutate: |bytes| replace_each_occurrence(bytes, b" ", b"  "),
    },
    LayoutMutation {
        name: "tab",
        description: "there is a tab between two tokens",
        requirement: "a line of two tokens",
        mutate: |bytes| replace_each_occurrence(bytes, b" ", b"\t"),
    },
    LayoutMutation {
        name: "split-line",
        description: "a line is broken in two between its tokens",
        requirement: "a line of two tokens",
        mutate: |bytes| replace_each_occurrence(bytes, b" ", b"\n"),
    },
    LayoutMutation {
        name: "joined-lines",
        description: "two lines are joined by a space",
        requirement: "two lines",
        mutate: |bytes| {
            replace_each_occurrence(without_final_newline(bytes), b"\n", b" ")
                .into_iter()
                .map(with_final_newline)
                .collect()
        },
    },
    LayoutMutation {
        name: "blank-line-at-start",
        description: "there is an empty line before the first",
        requirement: "a first line that is not empty",
        mutate: |bytes| vec![splice_bytes(bytes, 0, 0, b"\n")],
    },
    LayoutMutation {
        name: "blank-line-inside",
        description: "there is an empty line between two lines",
        requirement: "two lines",
        mutate: |bytes| {
            replace_each_occurrence(without_final_newline(bytes), b"\n", b"\n\n")
                .into_iter()
                .map(with_final_newline)
                .collect()
        },
    },
    LayoutMutation {
        name: "blank-line-at-end",
        description: "there is an empty line after the last",
        requirement: "an end that is not the end of the file",
        mutate: |bytes| vec![[bytes, b"\n"].concat()],
    },
    LayoutMutation {
        name: "text-after-end",
        description: "the input goes on after its end",
        requirement: "an end that is not the end of the file",
        mutate: |bytes| vec![[bytes, b"0\n"].concat(), [bytes, b"end of input\n"].concat()],
    },
    LayoutMutation {
        name: "missing-last-token",
        description: "the last token is missing",
        requirement: "a token that is not one of a list of any length",
        mutate: |bytes| without_last_token(bytes).into_iter().collect(),
    },
    LayoutMutation {
        name: "missing-last-line",
        description: "the last line is missing",
        requirement: "a number of lines that is known",
        mutate: |bytes| line_starts(bytes).last().map(|at| bytes[..*at].to_vec()).into_iter().collect(),
    },
    LayoutMutation {
        name: "extra-token",
        description: "there is one more token at the end of a line",
        requirement: "a line that is not a list of any length",
        mutate: |bytes| replace_each_occurrence(bytes, b"\n", b" 1\n"),
    },
    LayoutMutation {
        name: "empty-file",
        description: "the file is empty",
        requirement: "something that has to be there",
        mutate: |_| vec![Vec::new()],
    },
    LayoutMutation {
        name: "bom",
        description: "there is a byte order mark before the first line",
        requirement: "",
        mutate: |bytes| vec![splice_bytes(bytes, 0, 0, "\u{feff}".as_bytes())],
    },
    LayoutMutation {
        name: "null-byte",
        description: "there is a null byte at the end of the first line",
        requirement: "a line",
        mutate: |bytes| replace_each_occurrence(bytes, b"\n", b"\0\n"),
    },
];

/// Generates an input for each layout rule.
pub(super) fn add_layout_mutations(checker: &ConstraintChecker<'_>, pool: &SeedPool, found: &mut InvalidInputs) {
    let printed: Vec<Vec<u8>> = pool.seeds.iter().map(|value| print_value(checker.format, value)).collect();
    for mutation in LAYOUT_MUTATIONS {
        let broken =
            printed.iter().find_map(|bytes| (mutation.mutate)(bytes).into_iter().find(|b| is_malformed(checker, b)));
        found.add_layout_breach(
            mutation.name.to_owned(),
            mutation.description.to_owned(),
            broken,
            mutation.requirement,
        );
    }
    add_repetition_breaches(checker, pool, found);
    add_missing_sentinels(checker, pool, found);
    add_misplaced_separators(checker, pool, found);
}

/// Returns true if the layout alone rejects an input, independent of the values.
pub(super) fn is_malformed(checker: &ConstraintChecker<'_>, bytes: &[u8]) -> bool {
    read_input(&checker.layout, bytes).is_err() && find_refusal(checker.format, bytes).is_some()
}

impl InvalidInputs {
    /// Adds an input that violates the layout, or the reason why there is none.
    pub(super) fn add_layout_breach(
        &mut self,
        name: String,
        description: String,
        bytes: Option<Vec<u8>>,
        requirement: &str,
    ) {
        match bytes {
            Some(bytes) => {
                self.inputs.push(InvalidInput { name, description, broken_rule: BrokenRule::Layout, note: None, bytes })
            }
            None => {
                let reason = format!("no small input has what this needs: {requirement}");
                self.unbroken.push(UnbrokenRule { name, reason });
            }
        }
    }
}

/// Generates one repetition too many and one too few, where the format bounds a number of repetitions that is not in
/// the input.
fn add_repetition_breaches(checker: &ConstraintChecker<'_>, pool: &SeedPool, found: &mut InvalidInputs) {
    let format = checker.format;
    for block in (1..format.blocks.len()).map(BlockId) {
        let InstanceCount::Until { range, .. } = &format.block(block).count else { continue };
        let beyond = [(range.hi + 1, "too-many-repetitions"), (range.lo - 1, "too-few-repetitions")];
        for (count, name) in beyond.into_iter().filter(|(count, _)| *count >= 0) {
            let broken = usize::try_from(count).ok().and_then(|count| {
                pool.seeds
                    .iter()
                    .find_map(|value| with_instance_count(format, value, block, count))
                    .filter(|v| checker.breaks_only(v, &[]) && find_refusal(format, &print_value(format, v)).is_some())
            });
            let description = format!("there are {count} repetitions, but {}..{} are allowed", range.lo, range.hi);
            found.add_layout_breach(
                name.to_owned(),
                description,
                broken.map(|value| print_value(format, &value)),
                "repetitions that can be copied",
            );
        }
    }
}

/// Returns the value with `count` instances in the first list of a block, copying existing ones.
fn with_instance_count(format: &Format, value: &Value, block: BlockId, count: usize) -> Option<Value> {
    let parent = format.block(block).parent?;
    let mut holder = None;
    visit_instances(format, value, parent, &mut |path, _| {
        holder.get_or_insert_with(|| path.to_vec());
    });
    let path = [holder?, vec![format.block(block).slot]].concat();
    let list = value.value_at(&path)?.as_instances();
    if count > MAX_INSTANCE_COPIES || count > 0 && list.is_empty() {
        return None;
    }
    let copies = list.iter().cycle().take(count).map(|instance| instance.iter().cloned());
    let copies = InstanceList::from_instances(format.block(block).slots, copies);
    let mut changed = value.clone();
    *changed.value_at_mut(&path)? = Value::Instances(copies);
    Some(changed)
}

/// Generates an input without the line that ends a repetition.
fn add_missing_sentinels(checker: &ConstraintChecker<'_>, pool: &SeedPool, found: &mut InvalidInputs) {
    for block in &checker.format.blocks {
        let InstanceCount::Until { sentinel: Some(line), .. } = &block.count else { continue };
        let ending = [line.as_slice(), b"\n"].concat();
        let broken = pool.seeds.iter().find_map(|value| {
            let bytes = print_value(checker.format, value);
            let without = line_starts(&bytes).into_iter().rev().filter(|at| bytes[*at..].starts_with(&ending));
            without.map(|at| splice_bytes(&bytes, at, at + ending.len(), b"")).find(|b| is_malformed(checker, b))
        });
        let description =
            format!("the line `{}` at the end of the repetitions is missing", String::from_utf8_lossy(line));
        found.add_layout_breach("no-end-line".to_owned(), description, broken, "a line that ends repetitions");
    }
}

/// Generates an input without a line that separates repetitions, and one with such a line after the last repetition.
fn add_misplaced_separators(checker: &ConstraintChecker<'_>, pool: &SeedPool, found: &mut InvalidInputs) {
    let printed = || pool.seeds.iter().map(|value| print_value(checker.format, value));
    let last = checker.format.block(BlockId(0)).items.last();
    for block in (1..checker.format.blocks.len()).map(BlockId) {
        let Some(line) = checker.format.block(block).separator.as_deref() else { continue };
        let ending = [line, b"\n"].concat();
        let is_separator = |bytes: &[u8], at: usize| bytes[at..].starts_with(&ending);
        let broken = printed().find_map(|bytes| {
            let separators = line_starts(&bytes).into_iter().filter(|at| is_separator(&bytes, *at));
            let without = separators.map(|at| splice_bytes(&bytes, at, at + ending.len(), b""));
            without.into_iter().find(|b| is_malformed(checker, b))
        });
        let text = describe_separator(line);
        let description = format!("{text} between two repetitions is missing");
        found.add_layout_breach("no-separator".to_owned(), description, broken, "two repetitions");
        if last != Some(&LayoutItem::Block(block)) {
            continue;
        }
        let broken = printed().map(|bytes| [bytes.as_slice(), &ending].concat()).find(|b| is_malformed(checker, b));
        let description = format!("{text} follows the last repetition as well");
        let requirement = "repetitions at the end of the file";
        found.add_layout_breach("separator-at-end".to_owned(), description, broken, requirement);
    }
}

fn describe_separator(line: &[u8]) -> String {
    match line {
        b"" => "the empty line".to_owned(),
        line => format!("the line `{}`", String::from_utf8_lossy(line)),
    }
}

/// Returns the bytes with a range replaced.
pub(super) fn splice_bytes(bytes: &[u8], start: usize, end: usize, new: &[u8]) -> Vec<u8> {
    [&bytes[..start], new, &bytes[end..]].concat()
}

fn replace_line_ends(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    bytes
        .split_inclusive(|b| old.contains(b))
        .map(|line| match line.strip_suffix(old) {
            Some(line) => [line, new].concat(),
            None => line.to_vec(),
        })
        .collect::<Vec<_>>()
        .concat()
}

fn replace_each_occurrence(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<Vec<u8>> {
    let positions = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(old)).take(MAX_OCCURRENCES);
    positions.map(|at| splice_bytes(bytes, at, at + old.len(), new)).collect()
}

/// Returns an input for each line, with a text inserted before only that line.
fn insert_at_line_starts(bytes: &[u8], text: &[u8]) -> Vec<Vec<u8>> {
    let starts = line_starts(bytes).into_iter().take(MAX_OCCURRENCES);
    starts.map(|at| splice_bytes(bytes, at, at, text)).collect()
}

fn line_starts(bytes: &[u8]) -> Vec<usize> {
    let after = (0..bytes.len()).filter(|at| *at == 0 || bytes[at - 1] == b'\n');
    after.collect()
}

fn without_final_newline(bytes: &[u8]) -> &[u8] {
    bytes.strip_suffix(b"\n").unwrap_or(bytes)
}

fn with_final_newline(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.push(b'\n');
    bytes
}

/// Returns the bytes without the last token and the space before it.
fn without_last_token(bytes: &[u8]) -> Option<Vec<u8>> {
    let end = bytes.iter().rposition(|b| !b.is_ascii_whitespace())? + 1;
    let start = bytes[..end].iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
    let start = if start > 0 && bytes[start - 1] == b' ' { start - 1 } else { start };
    Some(splice_bytes(bytes, start, end, b""))
}

// Small valid inputs that invalid ones are derived from.

/// Distinct valid inputs, smallest first.
pub(super) struct SeedPool {
    pub(super) seeds: Vec<Value>,
}

impl SeedPool {
    /// Draws the pool of a format.
    ///
    /// # Errors
    ///
    /// Returns an error if no valid input can be generated.
    pub(super) fn new(format: &Format, seed: u64) -> Result<SeedPool, GenerationError> {
        let plan = GenerationPlan::new(format);
        let mut values = Vec::new();
        let mut failure = None;
        for stream in 0..MAX_SEEDS {
            match generate_value(&plan, &mut Choices::from_seed(seed, stream), &seed_settings(stream)) {
                Ok(generated) => values.push(generated.value),
                Err(problem) => failure = Some(problem),
            }
        }
        let mut measured: Vec<(Measure, Value)> =
            values.into_iter().map(|value| (Measure::of_value(format, &value), value)).collect();
        measured.sort_by(|a, b| a.0.cmp(&b.0));
        measured.dedup_by(|b, a| a.1 == b.1);
        let small = measured.iter().filter(|(measure, _)| measure.elements <= MAX_SEED_ELEMENTS).count();
        measured.truncate(small.max(1));
        let values: Vec<Value> = measured.into_iter().map(|(_, value)| value).collect();
        match failure {
            Some(failure) if values.is_empty() => Err(failure),
            _ => Ok(SeedPool { seeds: values }),
        }
    }
}

/// Returns the settings of a draw: the first is the smallest possible input, the others are tiny but not empty.
pub(super) fn seed_settings(stream: u64) -> GenerationSettings {
    let extreme = (stream == 0).then_some(Extreme::Min);
    let growth = u32::try_from(stream % 6 * 8).unwrap_or(0);
    GenerationSettings {
        growth,
        max_elements: 200,
        max_cases: 3,
        extreme,
        max_wasted_draws: MAX_FAILED_DRAWS,
        ..GenerationSettings::default()
    }
}
