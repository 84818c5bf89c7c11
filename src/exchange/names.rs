//! Names as all judges take them, and texts as YAML and TOML write them.

use std::collections::BTreeSet;

/// A name of letters, digits, `_`, `-` and points that begins with a letter or a digit.
pub(super) fn plain(name: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.') { c } else { '_' };
    let name: String = name.chars().map(kept).collect();
    let name = name.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    if name.is_empty() { "unnamed".to_owned() } else { name.to_owned() }
}

/// What stands behind the last slash.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The name without the folders and the extension.
pub(super) fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or(name, |(stem, _)| stem)
}

/// What stands behind the last point.
pub(super) fn extension(path: &str) -> &str {
    file_name(path).rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Gives each name once: the second `a.c` is `a_2.c`.
#[derive(Debug, Default)]
pub(super) struct Taken(BTreeSet<String>);

impl Taken {
    pub(super) fn take(&mut self, path: &str) -> String {
        let (stem, extension) = match path.rsplit_once('.') {
            Some((stem, extension)) if !extension.contains('/') => (stem, format!(".{extension}")),
            _ => (path, String::new()),
        };
        let mut free = path.to_owned();
        for number in 2.. {
            if self.0.insert(free.to_ascii_lowercase()) {
                break;
            }
            free = format!("{stem}_{number}{extension}");
        }
        free
    }
}

/// A text in double quotes, as JSON, YAML and TOML understand it.
pub(super) fn quoted(text: &str) -> String {
    let mut found = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => found.extend(['\\', c]),
            '\n' => found.push_str("\\n"),
            '\t' => found.push_str("\\t"),
            c if c.is_control() => found.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => found.push(c),
        }
    }
    found.push('"');
    found
}

/// A number of seconds from milliseconds, without zeros at its end.
pub(super) fn seconds(ms: u64) -> String {
    let text = format!("{}.{:03}", ms / 1000, ms % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// An identifier in the form of a UUID, decided by these words.
pub(super) fn uuid(words: &[&str]) -> String {
    let parts: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
    let hex = crate::corpus::digest(&parts);
    format!("{}-{}-8{}-a{}-{}", &hex[..8], &hex[8..12], &hex[12..15], &hex[15..18], &hex[18..30])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_given_once() {
        assert_eq!(plain("a b/ü.cpp"), "a_b__.cpp");
        assert_eq!(plain("..x"), "x");
        assert_eq!(plain("///"), "unnamed");
        let mut taken = Taken::default();
        let names = ["f/a.c", "f/A.c", "f/a.c", "f.d/a"].map(|name| taken.take(name));
        assert_eq!(names, ["f/a.c", "f/A_2.c", "f/a_3.c", "f.d/a"]);
        assert_eq!((stem("a/b.tar.gz"), stem("a/.b"), extension("a.b/c")), ("b.tar", ".b", ""));
    }

    #[test]
    fn texts_and_times() {
        assert_eq!(quoted("a\"\\\n\u{1b}ü"), "\"a\\\"\\\\\\n\\u001bü\"");
        assert_eq!([seconds(3000), seconds(1500), seconds(1)], ["3", "1.5", "0.001"]);
        assert_eq!(uuid(&["a"]).len(), 36);
    }
}
