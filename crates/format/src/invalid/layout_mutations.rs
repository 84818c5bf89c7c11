//! Inputs with wrong lines or white space: a small valid input changed in one place.

use super::negated_format::ConstraintChecker;
use super::{BrokenRule, InvalidInput, InvalidInputs, UnbrokenRule, find_refusal};
use crate::generate::{Extreme, GenerationError, GenerationPlan, GenerationSettings, generate_value};
use crate::language::{BlockId, Format, InstanceCount, LayoutItem};
use crate::print::print_value;
use crate::read::read_input;
use crate::tuning::{MAX_FAILED_DRAWS, MAX_INSTANCE_COPIES, MAX_OCCURRENCES, MAX_SEED_ELEMENTS, MAX_SEEDS};
use crate::value::{InstanceList, Measure, Value, instance_paths};
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

/// Generates inputs with a defect in the layout: small valid inputs changed in one place.
pub(super) struct LayoutBreaker<'w> {
    pub(super) format: &'w Format,
    checker: &'w ConstraintChecker<'w>,
    /// Small valid inputs and their bytes.
    seeds: &'w [(&'w Value, Vec<u8>)],
    found: InvalidInputs,
}

/// Generates an input for each layout rule and each malformed token.
pub(super) fn break_layout(checker: &ConstraintChecker<'_>, pool: &SeedPool) -> InvalidInputs {
    let format = checker.format;
    let seeds: Vec<(&Value, Vec<u8>)> = pool.seeds.iter().map(|value| (value, print_value(format, value))).collect();
    let mut breaker = LayoutBreaker { format, checker, seeds: &seeds, found: InvalidInputs::default() };
    for mutation in LAYOUT_MUTATIONS {
        let broken = breaker.find_malformed(|_, bytes| (mutation.mutate)(bytes));
        breaker.add_breach(mutation.name, mutation.description, broken, mutation.requirement);
    }
    breaker.add_repetition_breaches();
    breaker.add_missing_sentinels();
    breaker.add_misplaced_separators();
    breaker.add_token_mutations();
    breaker.found
}

impl<'w> LayoutBreaker<'w> {
    /// Returns the first changed input that the layout alone rejects, independent of the values. `change` gets a valid
    /// input and its bytes.
    pub(super) fn find_malformed<I: IntoIterator<Item = Vec<u8>>>(
        &self,
        change: impl Fn(&'w Value, &'w [u8]) -> I,
    ) -> Option<Vec<u8>> {
        let is_malformed = |bytes: &Vec<u8>| {
            read_input(&self.checker.layout, bytes).is_err() && find_refusal(self.format, bytes).is_some()
        };
        self.seeds.iter().flat_map(|(value, bytes)| change(value, bytes)).find(is_malformed)
    }

    /// Adds an input that violates the layout, or the reason why there is none.
    pub(super) fn add_breach(
        &mut self,
        name: impl Into<String>,
        description: impl Into<String>,
        bytes: Option<Vec<u8>>,
        requirement: &str,
    ) {
        let (name, description) = (name.into(), description.into());
        match bytes {
            Some(bytes) => {
                let broken_rule = BrokenRule::Layout;
                self.found.inputs.push(InvalidInput { name, description, broken_rule, note: None, bytes });
            }
            None => {
                let reason = format!("no small input has what this needs: {requirement}");
                self.found.unbroken.push(UnbrokenRule { name, reason });
            }
        }
    }

    /// Generates one repetition too many and one too few, where the format bounds a number of repetitions that is not
    /// in the input.
    fn add_repetition_breaches(&mut self) {
        let format = self.format;
        for block in format.block_ids().skip(1) {
            let InstanceCount::Until { range, .. } = &format.block(block).count else { continue };
            let beyond = [(range.hi + 1, "too-many-repetitions"), (range.lo - 1, "too-few-repetitions")];
            for (count, name) in beyond.into_iter().filter(|(count, _)| *count >= 0) {
                let change = |value: &Value| with_instance_count(format, value, block, usize::try_from(count).ok()?);
                let broken =
                    self.seeds.iter().find_map(|(value, _)| change(value)).filter(|v| self.checker.breaks_only(v, &[]));
                let broken = broken.map(|value| print_value(format, &value));
                let broken = broken.filter(|bytes| find_refusal(format, bytes).is_some());
                let description = format!("there are {count} repetitions, but {}..{} are allowed", range.lo, range.hi);
                self.add_breach(name, description, broken, "repetitions that can be copied");
            }
        }
    }

    /// Generates an input without the line that ends a repetition.
    fn add_missing_sentinels(&mut self) {
        for block in &self.format.blocks {
            let InstanceCount::Until { sentinel: Some(line), .. } = &block.count else { continue };
            let broken = self.find_malformed(|_, bytes| remove_each_line(bytes, line).rev());
            let description =
                format!("the line `{}` at the end of the repetitions is missing", String::from_utf8_lossy(line));
            self.add_breach("no-end-line", description, broken, "a line that ends repetitions");
        }
    }

    /// Generates an input without a line that separates repetitions, and one with such a line after the last
    /// repetition.
    fn add_misplaced_separators(&mut self) {
        let last = self.format.block(BlockId(0)).items.last();
        for block in self.format.block_ids().skip(1) {
            let Some(line) = self.format.block(block).separator.as_deref() else { continue };
            let broken = self.find_malformed(|_, bytes| remove_each_line(bytes, line));
            let text = describe_separator(line);
            self.add_breach(
                "no-separator",
                format!("{text} between two repetitions is missing"),
                broken,
                "two repetitions",
            );
            if last == Some(&LayoutItem::Block(block)) {
                let broken = self.find_malformed(|_, bytes| [[bytes, line, b"\n"].concat()]);
                let description = format!("{text} follows the last repetition as well");
                self.add_breach("separator-at-end", description, broken, "repetitions at the end of the file");
            }
        }
    }
}

/// Returns the value with `count` instances in the first list of a block, copying existing ones.
fn with_instance_count(format: &Format, value: &Value, block: BlockId, count: usize) -> Option<Value> {
    let parent = format.block(block).parent?;
    let path = [instance_paths(format, value, parent).into_iter().next()?, vec![format.block(block).slot]].concat();
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

/// Returns an input for each place of a line, without the line in that place.
fn remove_each_line<'b>(bytes: &'b [u8], line: &'b [u8]) -> impl DoubleEndedIterator<Item = Vec<u8>> {
    let ending = [line, b"\n"].concat();
    let without = move |at| bytes[at..].starts_with(&ending).then(|| splice_bytes(bytes, at, at + ending.len(), b""));
    line_starts(bytes).into_iter().filter_map(without)
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
