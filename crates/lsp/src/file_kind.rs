//! Which language a file is written in.

/// The language of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A format of inputs.
    Format,
    /// A recipe of a test set.
    Recipe,
}

impl FileKind {
    /// Returns the language of a file by what the editor calls it, or else by its name; `None` if it is neither.
    pub fn from_language_or_name(language: &str, uri: &str) -> Option<FileKind> {
        let name = uri.rsplit('/').next().unwrap_or(uri);
        match language {
            "rebut-format" | "rebut" => Some(FileKind::Format),
            "rebut-recipe" => Some(FileKind::Recipe),
            _ if name == "tests.toml" => Some(FileKind::Recipe),
            _ if name.ends_with(".format") => Some(FileKind::Format),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_precedes_the_name() {
        for (language, uri, kind) in [
            ("rebut-format", "untitled:1", Some(FileKind::Format)),
            ("toml", "file:///a/tests.toml", Some(FileKind::Recipe)),
            ("toml", "file:///a/Cargo.toml", None),
            ("plaintext", "file:///a/input.format", Some(FileKind::Format)),
            ("plaintext", "file:///a/notes.txt", None),
        ] {
            assert_eq!(FileKind::from_language_or_name(language, uri), kind, "{language} {uri}");
        }
    }
}
