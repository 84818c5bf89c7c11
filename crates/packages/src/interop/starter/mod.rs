//! A new package with a small problem in it, to be changed step by step.
//!
//! It is complete: a format, a recipe, a generator, an accepted and a wrong submission, a statement and samples on which
//! the wrong submission fails. So `verify` and `build` succeed from the first run, and each file is an example.

use super::imported_package::{derive_uuid, quote_text};
use crate::Bundle;
use rebut_diagnostics::SourceText;
use rebut_format::describe::{Markup, describe_format};
use rebut_format::language::Format;

/// Language of the programs of a new package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StarterLanguage {
    /// C++
    Cpp,
    /// Python 3
    Python,
}

/// Dialect of a new package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StarterDialect {
    /// The legacy problem package format.
    Legacy,
    /// Version 2025-09.
    V2025,
}

/// A problem that a new package can begin with.
#[derive(Clone, Copy, Debug)]
pub struct StarterExample<'t> {
    /// The name of its kind.
    pub kind: &'t str,
    /// The format. Its first line can be a comment that states the problem.
    pub format: &'t str,
    /// An accepted submission, or the beginning of one.
    pub right: &'t str,
    /// A wrong submission.
    pub wrong: Option<&'t str>,
    /// The extension of the submissions.
    pub extension: &'t str,
    /// An input on which the wrong submission fails.
    pub finding: Option<&'t str>,
    /// The checker or interactor, if there is one.
    pub judge: Option<&'t str>,
    /// Whether a submission communicates with it.
    pub is_interactive: bool,
}

/// The properties of a new package.
#[derive(Clone, Debug)]
pub struct Starter<'t> {
    /// The title of the problem.
    pub title: String,
    /// The language of its programs.
    pub language: StarterLanguage,
    /// The dialect of its description.
    pub dialect: StarterDialect,
    /// A random text that makes its identifier unique.
    pub salt: String,
    /// The problem in it, if it is not the one of this module.
    pub example: Option<StarterExample<'t>>,
}

/// The samples: inputs and answers. The wrong submission fails on the second.
const SAMPLES: [(&str, &str); 2] = [("5\n3 1 4 1 5\n", "5\n"), ("3\n-2 -7 -2\n", "-2\n")];

impl Starter<'_> {
    /// Returns the files of the package.
    pub fn make_files(&self) -> Bundle {
        let mut files = Bundle::default();
        let mut insert = |path: &str, text: &str| {
            // Few short files with plain names are within the limits of a bundle.
            let _ = files.insert(path, text.as_bytes().to_vec());
        };
        insert("problem.yaml", &self.description());
        if let Some(example) = self.example {
            self.insert_example(&example, &mut insert);
            return files;
        }
        insert("input.format", include_str!("input.format"));
        insert("tests.toml", include_str!("tests.toml").replace("gen.cpp", self.generator_name()).as_str());
        let (accepted, wrong, generator, extension) = match self.language {
            StarterLanguage::Cpp => {
                (include_str!("accepted.cpp"), include_str!("wrong.cpp"), include_str!("gen.cpp"), "cpp")
            }
            StarterLanguage::Python => {
                (include_str!("accepted.py"), include_str!("wrong.py"), include_str!("gen.py"), "py")
            }
        };
        insert(&format!("submissions/accepted/largest.{extension}"), accepted);
        insert(&format!("submissions/wrong_answer/starts_at_zero.{extension}"), wrong);
        insert(&format!("generators/{}", self.generator_name()), generator);
        for (at, (input, answer)) in SAMPLES.iter().enumerate() {
            insert(&format!("data/sample/{}.in", at + 1), input);
            insert(&format!("data/sample/{}.ans", at + 1), answer);
        }
        match self.dialect {
            StarterDialect::Legacy => {
                let text = include_str!("statement.tex").replace("TITLE", &escape_tex(&self.title));
                insert("problem_statement/problem.en.tex", &text);
            }
            StarterDialect::V2025 => insert("statement/problem.en.md", include_str!("statement.md")),
        }
        files
    }

    /// Adds the files of an example. `rebut build` makes its test cases.
    fn insert_example(&self, example: &StarterExample<'_>, insert: &mut impl FnMut(&str, &str)) {
        insert("input.format", example.format);
        let tests = include_str!("example_tests.toml");
        match (example.finding, tests.split_once("SAMPLE\n")) {
            (Some(finding), Some((head, rest))) => {
                let sample = format!("[[test]]\ngroup = \"sample\"\ntext = \"\"\"\n{finding}\"\"\"\n");
                insert("tests.toml", &[head, &sample, rest].concat())
            }
            _ => insert("tests.toml", &tests.replace("SAMPLE\n\n", "")),
        }
        insert(&format!("submissions/accepted/right.{}", example.extension), example.right);
        if let Some(wrong) = example.wrong {
            insert(&format!("submissions/wrong_answer/wrong.{}", example.extension), wrong);
        }
        let (path, title, markup, validator) = match self.dialect {
            StarterDialect::Legacy => {
                let title = format!("\\problemname{{{}}}\n\n", escape_tex(&self.title));
                ("problem_statement/problem.en.tex", title, Markup::Latex, "output_validators/judge.py")
            }
            StarterDialect::V2025 => {
                ("statement/problem.en.md", String::new(), Markup::Markdown, "output_validator/judge.py")
            }
        };
        if let Some(judge) = example.judge {
            insert(validator, judge);
        }
        // The comment of another format may be about anything.
        let stated = example.format.lines().next().and_then(|line| line.strip_prefix("# "));
        let task = stated.filter(|_| example.finding.is_some()).unwrap_or("State the task here.");
        let source = SourceText::new("input.format", example.format.as_bytes());
        let input =
            Format::parse(&source).map_or_else(|_| String::new(), |(format, _)| describe_format(&format, markup));
        insert(path, &format!("{title}{task}\n\n{input}"));
    }

    fn generator_name(&self) -> &'static str {
        match self.language {
            StarterLanguage::Cpp => "gen.cpp",
            StarterLanguage::Python => "gen.py",
        }
    }

    /// Returns the text of `problem.yaml`.
    fn description(&self) -> String {
        let title = quote_text(&self.title);
        let (kind, validation) = match self.example {
            Some(StarterExample { is_interactive: true, .. }) => ("interactive", "custom interactive"),
            Some(StarterExample { judge: Some(_), .. }) => ("pass-fail", "custom"),
            _ => ("pass-fail", "default"),
        };
        match self.dialect {
            StarterDialect::Legacy => format!("name: {title}\nvalidation: {validation}\nlimits:\n    memory: 256\n"),
            StarterDialect::V2025 => format!(
                "problem_format_version: 2025-09\nname: {title}\nuuid: {}\ntype: {kind}\nlimits:\n    time_limit: 1\n    memory: 256\n",
                derive_uuid(&[&self.salt, &self.title])
            ),
        }
    }
}

/// Escapes the characters that TeX gives a meaning.
fn escape_tex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(c);
            }
            '^' | '~' => {
                escaped.push('\\');
                escaped.push(c);
                escaped.push_str("{}");
            }
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use rebut_format::read::read_input;
    use rebut_format::validate::find_violation;

    fn starter(language: StarterLanguage, dialect: StarterDialect) -> Bundle {
        Starter { title: "A & B: \"50%\"".to_owned(), language, dialect, salt: "1".to_owned(), example: None }
            .make_files()
    }

    #[test]
    fn packages_are_complete_in_every_dialect_and_language() {
        for language in [StarterLanguage::Cpp, StarterLanguage::Python] {
            for dialect in [StarterDialect::Legacy, StarterDialect::V2025] {
                let files = starter(language, dialect);
                let paths: Vec<&str> = files.iter().map(|(path, _)| path).collect();
                assert_eq!(paths.len(), 11, "{paths:?}");
            }
        }
        let legacy = starter(StarterLanguage::Cpp, StarterDialect::Legacy);
        let statement = String::from_utf8_lossy(legacy.get("problem_statement/problem.en.tex").unwrap()).into_owned();
        assert!(statement.starts_with("\\problemname{A \\& B: \"50\\%\"}"), "{statement}");
    }

    #[test]
    fn samples_are_valid_inputs() {
        let source = SourceText::new("input.format", include_str!("input.format").as_bytes());
        let (format, warnings) = Format::parse(&source).unwrap();
        assert!(warnings.is_empty());
        for (input, _) in SAMPLES {
            assert_eq!(find_violation(&format, &read_input(&format, input.as_bytes()).unwrap()), None);
        }
    }
}
