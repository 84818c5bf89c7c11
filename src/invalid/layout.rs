//! Inputs whose lines and spaces are wrong: a small valid input with one place changed.

use super::judge::Judge;
use super::pool::Pool;
use super::{Breaks, Invalid, Invalids, Unbroken, refusal};
use crate::format::{BlockId, Count, Format};
use crate::print::print;
use crate::read::read;
use crate::value::{Instances, Value, each_instance};

/// One rule about lines and spaces, and the ways to break it in an input: each is tried until the reader refuses one.
struct LayoutRule {
    name: &'static str,
    what: &'static str,
    /// Why an input may have no place for it.
    needs: &'static str,
    change: fn(&[u8]) -> Vec<Vec<u8>>,
}

const RULES: &[LayoutRule] = &[
    LayoutRule {
        name: "crlf",
        what: "every line ends with a carriage return and a newline",
        needs: "a line",
        change: |bytes| vec![replaced_all(bytes, b"\n", b"\r\n")],
    },
    LayoutRule {
        name: "no-final-newline",
        what: "the last line does not end with a newline",
        needs: "a line",
        change: |bytes| bytes.strip_suffix(b"\n").map(<[u8]>::to_vec).into_iter().collect(),
    },
    LayoutRule {
        name: "trailing-space",
        what: "there is a space at the end of a line",
        needs: "a line that is not text with spaces",
        change: |bytes| at_each(bytes, b"\n", b" \n"),
    },
    LayoutRule {
        name: "leading-space",
        what: "there is a space at the start of a line",
        needs: "a line that is not text with spaces",
        change: |bytes| line_starts(bytes).into_iter().map(|at| spliced(bytes, at, at, b" ")).collect(),
    },
    LayoutRule {
        name: "double-space",
        what: "there are two spaces between two tokens",
        needs: "a line of two tokens",
        change: |bytes| at_each(bytes, b" ", b"  "),
    },
    LayoutRule {
        name: "tab",
        what: "there is a tab between two tokens",
        needs: "a line of two tokens",
        change: |bytes| at_each(bytes, b" ", b"\t"),
    },
    LayoutRule {
        name: "split-line",
        what: "a line is broken in two between its tokens",
        needs: "a line of two tokens",
        change: |bytes| at_each(bytes, b" ", b"\n"),
    },
    LayoutRule {
        name: "joined-lines",
        what: "two lines are joined by a space",
        needs: "two lines",
        change: |bytes| at_each(without_last(bytes), b"\n", b" ").into_iter().map(with_newline).collect(),
    },
    LayoutRule {
        name: "blank-line-at-start",
        what: "there is an empty line before the first",
        needs: "a first line that is not empty",
        change: |bytes| vec![spliced(bytes, 0, 0, b"\n")],
    },
    LayoutRule {
        name: "blank-line-inside",
        what: "there is an empty line between two lines",
        needs: "two lines",
        change: |bytes| at_each(without_last(bytes), b"\n", b"\n\n").into_iter().map(with_newline).collect(),
    },
    LayoutRule {
        name: "blank-line-at-end",
        what: "there is an empty line after the last",
        needs: "an end that is not the end of the file",
        change: |bytes| vec![[bytes, b"\n"].concat()],
    },
    LayoutRule {
        name: "text-after-end",
        what: "the input goes on after its end",
        needs: "an end that is not the end of the file",
        change: |bytes| vec![[bytes, b"0\n"].concat(), [bytes, b"end of input\n"].concat()],
    },
    LayoutRule {
        name: "missing-last-token",
        what: "the last token is missing",
        needs: "a token that is not one of a list of any length",
        change: |bytes| without_token(bytes).into_iter().collect(),
    },
    LayoutRule {
        name: "missing-last-line",
        what: "the last line is missing",
        needs: "a number of lines that is known",
        change: |bytes| line_starts(bytes).last().map(|at| bytes[..*at].to_vec()).into_iter().collect(),
    },
    LayoutRule {
        name: "extra-token",
        what: "there is one more token at the end of a line",
        needs: "a line that is not a list of any length",
        change: |bytes| at_each(bytes, b"\n", b" 1\n"),
    },
    LayoutRule {
        name: "empty-file",
        what: "there is nothing at all",
        needs: "something that has to be there",
        change: |_| vec![Vec::new()],
    },
    LayoutRule {
        name: "bom",
        what: "a byte order mark stands before the first line",
        needs: "",
        change: |bytes| vec![spliced(bytes, 0, 0, "\u{feff}".as_bytes())],
    },
    LayoutRule {
        name: "null-byte",
        what: "a null byte stands at the end of the first line",
        needs: "a line",
        change: |bytes| at_each(bytes, b"\n", b"\0\n"),
    },
];

/// Makes an input for each rule about lines and spaces.
pub(super) fn break_layout(judge: &Judge<'_>, pool: &Pool, found: &mut Invalids) {
    let printed: Vec<Vec<u8>> = pool.values.iter().map(|value| print(judge.format, value)).collect();
    for rule in RULES {
        let broken = printed.iter().find_map(|bytes| (rule.change)(bytes).into_iter().find(|b| is_malformed(judge, b)));
        found.add(rule.name.to_owned(), rule.what.to_owned(), broken, rule.needs);
    }
    repetitions(judge, pool, found);
    sentinels(judge, pool, found);
}

/// Whether the layout alone refuses an input, whatever the numbers are.
pub(super) fn is_malformed(judge: &Judge<'_>, bytes: &[u8]) -> bool {
    read(&judge.layout, bytes).is_err() && refusal(judge.format, bytes).is_some()
}

impl Invalids {
    /// Takes in an input that breaks the layout, or the reason why there is none.
    pub(super) fn add(&mut self, name: String, what: String, bytes: Option<Vec<u8>>, needs: &str) {
        match bytes {
            Some(bytes) => self.inputs.push(Invalid { name, what, breaks: Breaks::Layout, note: None, bytes }),
            None => {
                let reason = format!("no small input has what it needs: {needs}");
                self.unbroken.push(Unbroken { name, reason });
            }
        }
    }
}

/// One repetition too many, and one too few, where the format bounds what the input alone tells.
fn repetitions(judge: &Judge<'_>, pool: &Pool, found: &mut Invalids) {
    let format = judge.format;
    for block in (1..format.blocks.len()).map(BlockId) {
        let Count::Until { range, .. } = &format.block(block).count else { continue };
        let beyond = [(range.hi + 1, "too-many-repetitions"), (range.lo - 1, "too-few-repetitions")];
        for (count, name) in beyond.into_iter().filter(|(count, _)| *count >= 0) {
            let broken = usize::try_from(count).ok().and_then(|count| {
                pool.values
                    .iter()
                    .find_map(|value| with_instances(format, value, block, count))
                    .filter(|v| judge.breaks_only(v, &[]) && refusal(format, &print(format, v)).is_some())
            });
            let what = format!("there are {count} repetitions, and {}..{} are allowed", range.lo, range.hi);
            found.add(
                name.to_owned(),
                what,
                broken.map(|value| print(format, &value)),
                "repetitions that can be copied",
            );
        }
    }
}

/// The value with so many instances in the first list of a block: the smallest ones it has, copied.
fn with_instances(format: &Format, value: &Value, block: BlockId, count: usize) -> Option<Value> {
    const MOST_COPIES: usize = 200_000;
    let parent = format.block(block).parent?;
    let mut holder = None;
    each_instance(format, value, parent, &mut |path, _| {
        holder.get_or_insert_with(|| path.to_vec());
    });
    let path = [holder?, vec![format.block(block).slot]].concat();
    let list = value.at(&path)?.as_instances();
    if count > MOST_COPIES || count > 0 && list.is_empty() {
        return None;
    }
    let copies = list.iter().cycle().take(count).map(|instance| instance.iter().cloned());
    let copies = Instances::of(format.block(block).slots, copies);
    let mut changed = value.clone();
    *changed.at_mut(&path)? = Value::Instances(copies);
    Some(changed)
}

/// The line that ends a repetition, left out.
fn sentinels(judge: &Judge<'_>, pool: &Pool, found: &mut Invalids) {
    for block in &judge.format.blocks {
        let Count::Until { sentinel: Some(line), .. } = &block.count else { continue };
        let ending = [line.as_slice(), b"\n"].concat();
        let broken = pool.values.iter().find_map(|value| {
            let bytes = print(judge.format, value);
            let without = line_starts(&bytes).into_iter().rev().filter(|at| bytes[*at..].starts_with(&ending));
            without.map(|at| spliced(&bytes, at, at + ending.len(), b"")).find(|b| is_malformed(judge, b))
        });
        let what = format!("the line `{}` at the end of the repetitions is missing", String::from_utf8_lossy(line));
        found.add("no-end-line".to_owned(), what, broken, "a line that ends repetitions");
    }
}

/// The bytes with a stretch replaced.
pub(super) fn spliced(bytes: &[u8], start: usize, end: usize, new: &[u8]) -> Vec<u8> {
    [&bytes[..start], new, &bytes[end..]].concat()
}

fn replaced_all(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    bytes
        .split_inclusive(|b| old.contains(b))
        .map(|line| match line.strip_suffix(old) {
            Some(line) => [line, new].concat(),
            None => line.to_vec(),
        })
        .collect::<Vec<_>>()
        .concat()
}

/// The bytes with one occurrence replaced, for each in turn.
fn at_each(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<Vec<u8>> {
    const MOST_PLACES: usize = 40;
    let places = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(old)).take(MOST_PLACES);
    places.map(|at| spliced(bytes, at, at + old.len(), new)).collect()
}

fn line_starts(bytes: &[u8]) -> Vec<usize> {
    let after = (0..bytes.len()).filter(|at| *at == 0 || bytes[at - 1] == b'\n');
    after.collect()
}

fn without_last(bytes: &[u8]) -> &[u8] {
    bytes.strip_suffix(b"\n").unwrap_or(bytes)
}

fn with_newline(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.push(b'\n');
    bytes
}

/// The bytes without the last token of the last line that has one, and without the space before it.
fn without_token(bytes: &[u8]) -> Option<Vec<u8>> {
    let end = bytes.iter().rposition(|b| !b.is_ascii_whitespace())? + 1;
    let start = bytes[..end].iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
    let start = if start > 0 && bytes[start - 1] == b' ' { start - 1 } else { start };
    Some(spliced(bytes, start, end, b""))
}
