//! Rust sources without comments and literals, on the same lines.

use crate::environment::home;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use walkdir::{DirEntry, WalkDir};

/// A file of the repository.
pub(super) struct Source {
    /// Its path from the root, with slashes.
    pub(super) path: String,
    /// Its text with blanks in place of comments and literals.
    pub(super) code: String,
    /// The same without its unit tests.
    code_outside_tests: String,
}

impl Source {
    pub(super) fn new(path: String, text: &str) -> Source {
        let mut source = Source { path, code: blanked(text), code_outside_tests: String::new() };
        if !source.is_test() {
            source.code_outside_tests = without_test_modules(&source.code);
        }
        source
    }

    /// Returns the code without its unit tests.
    pub(super) fn code_outside_tests(&self) -> &str {
        &self.code_outside_tests
    }

    /// Returns true if the file has only tests.
    pub(super) fn is_test(&self) -> bool {
        self.path.contains("tests/") || self.path.ends_with("/tests.rs")
    }

    /// Returns `path:line` for an offset in the code.
    pub(super) fn place(&self, at: usize) -> String {
        format!("{}:{}", self.path, line_of(&self.code, at))
    }
}

/// Folders of the sources of all crates.
pub(super) const CRATES: &[&str] = &[
    "checkers/src/",
    "crates/codegen/src/",
    "crates/diagnostics/src/",
    "crates/engine/src/",
    "crates/format/src/",
    "generators/src/",
    "crates/import/src/",
    "crates/infer/src/",
    "crates/lsp/src/",
    "crates/mutants/src/",
    "crates/packages/src/",
    "crates/sandbox/src/",
    "crates/toolchain/src/",
    "src/",
    "crates/web/src/",
];

/// Returns the number of a line from 1 by an offset in it.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Returns the paths of all files of the repository, without build products.
pub(super) fn files() -> Vec<String> {
    let kept = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        !matches!(name.as_ref(), ".git" | "target" | "findings") || entry.depth() == 0
    };
    let entries = WalkDir::new(home()).sort_by_file_name().into_iter().filter_entry(kept);
    let paths = entries.map(|entry| entry.unwrap()).filter(|entry| entry.file_type().is_file());
    paths.map(|entry| entry.path().strip_prefix(home()).unwrap().to_string_lossy().replace('\\', "/")).collect()
}

/// Reads a file by its path from the root.
pub(super) fn read(path: &str) -> String {
    fs::read_to_string(home().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Returns the Rust sources of the tool and the leaf crates, without the programs in `testdata` and for users.
pub(super) fn sources() -> &'static [Source] {
    static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(read_sources);
    &SOURCES
}

fn read_sources() -> Vec<Source> {
    let is_own = |path: &String| {
        let is_foreign = ["testdata/", "generators/include/"].iter().any(|folder| path.starts_with(folder));
        Path::new(path).extension().is_some_and(|e| e == "rs") && !is_foreign
    };
    let with_text = |path: String| {
        let text = read(&path);
        Source::new(path, &text)
    };
    files().into_iter().filter(is_own).map(with_text).collect()
}

/// Returns the text with comments and literals replaced by blanks.
fn blanked(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let (kept, end) = piece(bytes, at);
        let blank = |b: &u8| if *b == b'\n' { b'\n' } else { b' ' };
        code.extend_from_slice(&bytes[at..at + kept]);
        code.extend(bytes[at + kept..end].iter().map(blank));
        at = end;
    }
    String::from_utf8(code).unwrap()
}

/// Returns the number of bytes that are code in the piece at an offset, and the end of the piece.
fn piece(bytes: &[u8], at: usize) -> (usize, usize) {
    let rest = &bytes[at..];
    match rest {
        [b'/', b'/', ..] => (0, at + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len())),
        [b'/', b'*', ..] => (0, at + block_comment(rest)),
        [b'r', b'"' | b'#', ..] if !continues_word(bytes, at) => raw_text(rest).map_or((1, at + 1), |n| (0, at + n)),
        [b'"', ..] => (0, at + quoted(rest, b'"')),
        [b'\'', b'\\', ..] | [b'\'', _, b'\'', ..] => (0, at + quoted(rest, b'\'')),
        [b'\'', first, ..] if !first.is_ascii() => (0, at + quoted(rest, b'\'')),
        [first, ..] if !first.is_ascii() => (0, at + 1),
        _ => (1, at + 1),
    }
}

/// Returns true if the byte before belongs to the same word; the `b` of `br"..."` does not count.
fn continues_word(bytes: &[u8], at: usize) -> bool {
    at > 0 && bytes[at - 1] != b'b' && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_')
}

fn block_comment(rest: &[u8]) -> usize {
    let end = rest.windows(2).skip(2).position(|pair| pair == b"*/");
    end.map_or(rest.len(), |n| n + 4)
}

/// Returns the length of `r#"..."#`, or `None` for a raw identifier.
fn raw_text(rest: &[u8]) -> Option<usize> {
    let hashes = rest[1..].iter().take_while(|b| **b == b'#').count();
    if rest.get(1 + hashes) != Some(&b'"') {
        return None;
    }
    let closing = [&b"\""[..], &b"#".repeat(hashes)].concat();
    let start = 2 + hashes;
    let end = rest[start..].windows(closing.len()).position(|w| w == closing)?;
    Some(start + end + closing.len())
}

/// Returns the length of a literal with both quotes.
fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != quote {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// Returns the code with `#[cfg(test)]` items replaced by blanks.
fn without_test_modules(code: &str) -> String {
    let mut left = code.to_owned();
    while let Some(start) = left.find("#[cfg(test)]") {
        let end = item_end(&left, start);
        let blanks: String = left[start..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        left.replace_range(start..end, &blanks);
    }
    left
}

/// Returns the end of the item at an offset: after its braces, or after its semicolon.
fn item_end(code: &str, start: usize) -> usize {
    let body = code[start..].find(['{', ';']).map_or(code.len(), |n| start + n);
    if code[body..].starts_with('{') { closing_brace(code, body) } else { (body + 1).min(code.len()) }
}

/// Returns the offset after the brace that closes the one at an offset.
pub(super) fn closing_brace(code: &str, open: usize) -> usize {
    let mut depth = 0;
    for (at, c) in code[open..].char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 {
            return open + at + 1;
        }
    }
    code.len()
}

/// Returns the offsets of a pattern, without those in the middle of a word.
pub(super) fn occurrences<'c>(code: &'c str, pattern: &'c str) -> impl Iterator<Item = usize> + 'c {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let starts_word = pattern.starts_with(in_word);
    let stands_alone = move |at: &usize| !(starts_word && code[..*at].ends_with(in_word));
    code.match_indices(pattern).map(|(at, _)| at).filter(stands_alone)
}

#[test]
fn comments_literals_and_tests_are_blanked() {
    let cases = [
        ("a // b\nc", "a     \nc"),
        ("a /* b */ c", "a         c"),
        ("f(\"}\\\"{\", x)", "f(      , x)"),
        ("r#\"a\"b\"# + r\"\\\"", "         +"),
        ("br\"x\" 'a' '\\'' '{'", "b                  "),
        ("fn f<'a>(x: &'a str)", "fn f<'a>(x: &'a str)"),
        ("number", "number"),
    ];
    for (text, code) in cases {
        assert_eq!(blanked(text).trim_end(), code.trim_end(), "{text}");
    }
    assert_eq!(
        without_test_modules("a {}\n#[cfg(test)]\nmod t { {} }\nb").trim_end(),
        "a {}\n            \n            \nb".trim_end()
    );
}
