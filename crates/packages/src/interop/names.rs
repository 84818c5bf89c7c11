//! File names that all judges accept, and quoting for YAML and TOML.

use std::collections::BTreeSet;

/// Replaces characters other than letters, digits, `_`, `-` and dots, so that the name starts and ends with a letter
/// or digit.
pub(super) fn sanitize_name(name: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.') { c } else { '_' };
    let name: String = name.chars().map(kept).collect();
    let name = name.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    if name.is_empty() { "unnamed".to_owned() } else { name.to_owned() }
}

/// Returns the part after the last slash.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the name without folders and extension.
pub(super) fn file_stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or(name, |(stem, _)| stem)
}

/// Returns the part after the last dot.
pub(super) fn file_extension(path: &str) -> &str {
    file_name(path).rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Makes names unique: the second `a.c` becomes `a_2.c`.
#[derive(Debug, Default)]
pub(super) struct UniqueNames(BTreeSet<String>);

impl UniqueNames {
    pub(super) fn claim_name(&mut self, path: &str) -> String {
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

/// Quotes a text in a way that JSON, YAML and TOML understand.
pub(super) fn quote_text(text: &str) -> String {
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

/// Formats milliseconds as seconds, without trailing zeros.
pub(super) fn ms_to_seconds(ms: u64) -> String {
    let text = format!("{}.{:03}", ms / 1000, ms % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Derives an identifier in the form of a UUID from these parts.
pub(super) fn derive_uuid(identity: &[&str]) -> String {
    let parts: Vec<&[u8]> = identity.iter().map(|part| part.as_bytes()).collect();
    let hex = crate::digest_parts(&parts);
    format!("{}-{}-8{}-a{}-{}", &hex[..8], &hex[8..12], &hex[12..15], &hex[15..18], &hex[18..30])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sanitized_and_unique() {
        assert_eq!(sanitize_name("a b/ü.cpp"), "a_b__.cpp");
        assert_eq!(sanitize_name("..x"), "x");
        assert_eq!(sanitize_name("///"), "unnamed");
        let mut taken = UniqueNames::default();
        let names = ["f/a.c", "f/A.c", "f/a.c", "f.d/a"].map(|name| taken.claim_name(name));
        assert_eq!(names, ["f/a.c", "f/A_2.c", "f/a_3.c", "f.d/a"]);
        assert_eq!((file_stem("a/b.tar.gz"), file_stem("a/.b"), file_extension("a.b/c")), ("b.tar", ".b", ""));
    }

    #[test]
    fn texts_are_quoted_and_times_are_short() {
        assert_eq!(quote_text("a\"\\\n\u{1b}ü"), "\"a\\\"\\\\\\n\\u001bü\"");
        assert_eq!([ms_to_seconds(3000), ms_to_seconds(1500), ms_to_seconds(1)], ["3", "1.5", "0.001"]);
        assert_eq!(derive_uuid(&["a"]).len(), 36);
    }
}
