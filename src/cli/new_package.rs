//! `rebut new`: makes packages that are complete from the start, to be changed step by step.

use super::args::{NewArgs, NewDialectArg, NewLanguageArg};
use super::exit_status::ExitStatus;
use super::session::Session;
use super::stress::random_seed;
use rebut_diagnostics::{Error, Result};
use rebut_packages::interop::{Starter, StarterDialect, StarterLanguage};
use rebut_packages::write_file;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Letters of the problems of a contest.
const LABELS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

pub(super) fn run_new(args: &NewArgs, session: &mut Session) -> Result<ExitStatus> {
    let folders: Vec<PathBuf> = match &args.contest {
        Some(contest) => args.names.iter().map(|name| contest.join(name)).collect(),
        None => args.names.clone(),
    };
    for folder in &folders {
        if folder.exists() {
            return Err(Error::usage_error(format!("`{}` exists already", folder.display())));
        }
        require_plain_name(folder)?;
    }
    if let Some(contest) = &args.contest {
        write_contest(contest, &args.names)?;
    }
    let mut text = String::new();
    for folder in &folders {
        let starter = Starter {
            title: title_from_name(&folder_name(folder)),
            language: match args.language {
                NewLanguageArg::Cpp => StarterLanguage::Cpp,
                NewLanguageArg::Python => StarterLanguage::Python,
            },
            dialect: match args.dialect {
                NewDialectArg::Legacy => StarterDialect::Legacy,
                NewDialectArg::V2025 => StarterDialect::V2025,
            },
            salt: format!("{:x}", random_seed()),
        };
        starter.make_files().write_folder(folder)?;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "made {}", folder.display());
    }
    let all: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    let _ = writeln!(text, "next: rebut verify {}", all.join(" "));
    session.write_stdout_text(&text)?;
    Ok(ExitStatus::Success)
}

/// Writes the list of problems that tools for contests read: BAPCtools and DOMjudge.
fn write_contest(contest: &Path, names: &[PathBuf]) -> Result<()> {
    let list = contest.join("problems.yaml");
    if list.exists() {
        return Err(Error::usage_error(format!("`{}` exists already", list.display()))
            .with_help("without `--contest`, new packages are made in an existing contest"));
    }
    if names.len() > LABELS.len() {
        return Err(Error::usage_error(format!("a contest has at most {} problems", LABELS.len())));
    }
    let entries = names.iter().zip(LABELS.chars());
    let text: String =
        entries.map(|(name, label)| format!("- id: {}\n  label: {label}\n", folder_name(name))).collect();
    write_file(&list, text.as_bytes())
}

/// Returns an error if the name of a package has characters that judges refuse.
fn require_plain_name(folder: &Path) -> Result<()> {
    let name = folder_name(folder);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !name.is_empty() && name.chars().all(is_plain) {
        return Ok(());
    }
    Err(Error::usage_error(format!("`{name}` is no name of a package"))
        .with_help("letters, digits, `-` and `_` are understood by every judge; the title is in `problem.yaml`"))
}

fn folder_name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the title for a name: `two-sum` becomes `Two sum`.
fn title_from_name(name: &str) -> String {
    let words = name.replace(['-', '_'], " ");
    let mut characters = words.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_is_the_name_in_words() {
        assert_eq!(title_from_name("two-sum"), "Two sum");
        assert!(require_plain_name(Path::new("a/b-1")).is_ok());
        assert!(require_plain_name(Path::new("a b")).is_err() && require_plain_name(Path::new("/")).is_err());
    }
}
