//! A file that is open in the editor, and what is known of its text.

use crate::format_file::{FormatFile, complete_format, explain_word, find_declaration};
use crate::protocol::{Completions, Explanation, suggested_word, to_diagnostic, to_place};
use crate::recipe_file::{complete_recipe, explain_recipe_word, find_recipe_problems};
use crate::text::{EditedText, TextPosition};
use lsp_types::{Diagnostic, Position, Range, TextDocumentContentChangeEvent, TextDocumentItem, Uri};
use rebut_diagnostics::{SourceText, Span};
use rebut_format::language::{Format, format_source};
use std::ops::RangeInclusive;

/// A file that is open in the editor.
#[derive(Debug)]
pub(crate) struct OpenFile {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) kind: FileKind,
    pub(crate) text: EditedText,
    /// Number of samples that were shown.
    pub(crate) shown_samples: u64,
    /// The analysis of the text if it is a format; `None` after a change.
    analysis: Option<FormatFile>,
    /// The last format without errors.
    last_format: Option<Format>,
}

impl OpenFile {
    /// Opens a file; `None` if it is in a language of no concern.
    pub(crate) fn open(item: TextDocumentItem) -> Option<OpenFile> {
        let kind = FileKind::from_language_or_name(&item.language_id, item.uri.as_str())?;
        let text = EditedText::new(item.text);
        Some(OpenFile {
            uri: item.uri,
            version: item.version,
            kind,
            text,
            shown_samples: 0,
            analysis: None,
            last_format: None,
        })
    }

    pub(crate) fn apply_changes(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        for change in changes {
            match change.range {
                Some(range) => self.text.replace_range(to_place(range.start), to_place(range.end), &change.text),
                None => self.text = EditedText::new(change.text),
            }
        }
        self.version = version;
        self.analysis = None;
    }

    /// Returns what is known of the text of a format, and the last format without errors.
    fn analyzed(&mut self) -> (&FormatFile, Option<&Format>) {
        let name = self.uri.as_str();
        let file = self.analysis.get_or_insert_with(|| FormatFile::new(name, self.text.clone()));
        if let Some(format) = &file.format {
            self.last_format = Some(format.clone());
        }
        (file, self.last_format.as_ref())
    }

    /// Returns the format of the text, if it is one without errors.
    pub(crate) fn valid_format(&mut self) -> Option<&Format> {
        match self.kind {
            FileKind::Format => self.analyzed().0.format.as_ref(),
            FileKind::Recipe => None,
        }
    }

    fn list_problems(&mut self) -> Vec<rebut_diagnostics::Diagnostic> {
        match self.kind {
            FileKind::Format => self.analyzed().0.problems.clone(),
            FileKind::Recipe => find_recipe_problems(self.uri.as_str(), &self.text),
        }
    }

    /// Returns all problems of the text, in the terms of the protocol.
    pub(crate) fn find_problems(&mut self) -> Vec<Diagnostic> {
        let problems = self.list_problems();
        problems.iter().map(|problem| to_diagnostic(&self.text, &self.uri, problem)).collect()
    }

    /// Returns the repairs of the problems on some lines: of each, the problem, its place and the word to be written there.
    pub(crate) fn find_repairs(&mut self, lines: RangeInclusive<u32>) -> Vec<(Diagnostic, Range, String)> {
        let problems = self.list_problems();
        let repairs = problems.iter().filter_map(|problem| {
            let (range, word) = suggested_word(&self.text, problem)?;
            let is_there = lines.contains(&range.start.line);
            is_there.then(|| (to_diagnostic(&self.text, &self.uri, problem), range, word))
        });
        repairs.collect()
    }

    fn offset_of(&self, position: Position) -> usize {
        let TextPosition { line, column } = to_place(position);
        self.text.offset_of(TextPosition { line, column })
    }

    /// Returns what can be written at a place.
    pub(crate) fn complete_at(&mut self, position: Position) -> Completions {
        let offset = self.offset_of(position);
        match self.kind {
            FileKind::Format => complete_format(self.analyzed().0, offset),
            FileKind::Recipe => complete_recipe(&self.text, offset),
        }
    }

    /// Returns what is known of the word at a place.
    pub(crate) fn explain_word_at(&mut self, position: Position) -> Option<Explanation> {
        let offset = self.offset_of(position);
        match self.kind {
            FileKind::Format => {
                let (file, last_format) = self.analyzed();
                explain_word(file, last_format, offset)
            }
            FileKind::Recipe => explain_recipe_word(&self.text, offset),
        }
    }

    /// Returns where the name at a place is declared.
    pub(crate) fn find_declaration_at(&mut self, position: Position) -> Option<Span> {
        let offset = self.offset_of(position);
        match self.kind {
            FileKind::Format => find_declaration(self.analyzed().0, offset),
            FileKind::Recipe => None,
        }
    }

    /// Returns the normal form of the text, if it is a format without errors.
    pub(crate) fn normal_form(&self) -> Option<String> {
        match self.kind {
            FileKind::Format => format_source(&SourceText::new(self.uri.as_str(), self.text.as_str().as_bytes())).ok(),
            FileKind::Recipe => None,
        }
    }
}

// Which language a file is written in.

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
