//! `rebut.toml`: defaults for options of the command line.

use super::recipe::syntax_diagnostic;
use rebut_diagnostics::{Diagnostic, Error, Result, SourceText, Span};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// Name of the file.
pub const SETTINGS_FILE: &str = "rebut.toml";

/// The standard of C++ that judges compile by and their usual memory limit in MiB, as defaults of options. Read from their pages about
/// compilers in November 2026.
const JUDGES: [(&str, [(&str, &str); 2]); 4] = [
    ("atcoder", [("std", "gnu++23"), ("memory-limit", "1024")]),
    ("codeforces", [("std", "gnu++20"), ("memory-limit", "256")]),
    ("icpc", [("std", "gnu++20"), ("memory-limit", "2048")]),
    ("kattis", [("std", "gnu++20"), ("memory-limit", "1024")]),
];

/// The names of the judges whose options are known.
pub const JUDGE_NAMES: [&str; 4] = [JUDGES[0].0, JUDGES[1].0, JUDGES[2].0, JUDGES[3].0];

/// Returns the options of a judge, or `None` if its name is unknown.
pub fn judge_options(name: &str) -> Option<Vec<SettingsOption>> {
    let (_, options) = JUDGES.iter().find(|(known, _)| *known == name)?;
    let option = |(name, value): &(&'static str, &str)| {
        let values = vec![((*value).to_owned(), Span::default())];
        SettingsOption { name, values }
    };
    Some(options.iter().map(option).collect())
}

/// The defaults of one file.
#[derive(Debug)]
pub struct Settings {
    /// The file and its text.
    pub source: SourceText,
    /// The file.
    pub path: PathBuf,
    /// The options with their values, in the order of the table below.
    pub options: Vec<SettingsOption>,
}

/// An option and its values.
#[derive(Debug, PartialEq, Eq)]
pub struct SettingsOption {
    /// Name of the option, without dashes.
    pub name: &'static str,
    /// The values, with their places in the file.
    pub values: Vec<(String, Span)>,
}

/// The keys, which are names of options.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SettingsTable {
    #[serde(default)]
    include: Vec<Spanned<String>>,
    #[serde(default)]
    std: Vec<Spanned<String>>,
    judge: Option<Spanned<String>>,
    jobs: Option<Spanned<u64>>,
    compile_time: Option<Spanned<String>>,
    compile_memory: Option<Spanned<u64>>,
    time_limit: Option<Spanned<String>>,
    memory_limit: Option<Spanned<u64>>,
}

impl Settings {
    /// Loads the file that is nearest to `folder`, in it or in a parent folder, or else the one in `own_folder`. Returns
    /// `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or one with the diagnostics of its text.
    pub fn load_nearest(folder: &Path, own_folder: Option<&Path>) -> Result<Option<Settings>> {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let near = folder.ancestors().map(|folder| folder.join(SETTINGS_FILE)).find(|path| path.is_file());
        let own = || own_folder.map(|folder| folder.join(SETTINGS_FILE)).filter(|path| path.is_file());
        let Some(path) = near.clone().or_else(own) else { return Ok(None) };
        let source = SourceText::new(path.display().to_string(), super::read_description(&path)?);
        match parse_options(&source, &path, near.is_some()) {
            Ok(options) => Ok(Some(Settings { source, path, options })),
            Err(problem) => Err(Error::from_diagnostics(source, vec![problem])),
        }
    }
}

/// Parses the text of a file. A file that is `shared` came with a package, perhaps from someone else: its folders for
/// includes, which compilers may read, are in its own folder.
fn parse_options(
    source: &SourceText,
    path: &Path,
    is_shared: bool,
) -> std::result::Result<Vec<SettingsOption>, Diagnostic> {
    let text = std::str::from_utf8(&source.text).map_err(|e| {
        Diagnostic::error("encoding", Span::new(e.valid_up_to(), e.valid_up_to() + 1), "settings must be valid UTF-8")
    })?;
    let table: SettingsTable = toml::from_str(text).map_err(|error| {
        let problem = syntax_diagnostic(&error);
        let wants_list = error.message().ends_with("expected a sequence");
        if wants_list { problem.with_help("write a list, as in `std = [\"c++17\"]`") } else { problem }
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut includes = Vec::new();
    for (name, span) in table.include.into_iter().map(into_value) {
        let include = folder.join(&name);
        let [inner, outer] = [&*include, folder].map(|path| path.canonicalize().ok());
        if is_shared && !inner.zip(outer).is_some_and(|(inner, outer)| inner.starts_with(outer)) {
            let message = format!("`{name}` is not a folder beside `{SETTINGS_FILE}`");
            let help = format!("name other folders in `~/.config/rebut/{SETTINGS_FILE}`, or with `--include`");
            return Err(Diagnostic::error("include", span, message).with_help(help));
        }
        includes.push((include.display().to_string(), span));
    }
    let number = |number: Option<Spanned<u64>>| number.into_iter().map(into_value).collect();
    let words = |words: Option<Spanned<String>>| words.into_iter().map(into_value).collect();
    let options = [
        ("include", includes),
        ("std", table.std.into_iter().map(into_value).collect()),
        ("judge", words(table.judge)),
        ("jobs", number(table.jobs)),
        ("compile-time", words(table.compile_time)),
        ("compile-memory", number(table.compile_memory)),
        ("time-limit", words(table.time_limit)),
        ("memory-limit", number(table.memory_limit)),
    ];
    let stated = options.into_iter().filter(|(_, values)| !values.is_empty());
    Ok(stated.map(|(name, values)| SettingsOption { name, values }).collect())
}

fn into_value<T: ToString>(value: Spanned<T>) -> (String, Span) {
    let span = Span::new(value.span().start, value.span().end);
    (value.into_inner().to_string(), span)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn parse(text: &str, is_shared: bool) -> std::result::Result<Vec<SettingsOption>, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("headers")).unwrap();
        let source = SourceText::new(SETTINGS_FILE, text);
        let parsed = parse_options(&source, &folder.path().join(SETTINGS_FILE), is_shared);
        parsed.map_err(|problem| {
            let help = problem.help.map(|help| format!("; {help}")).unwrap_or_default();
            format!("{}{help} {:?}", problem.message, source.line_column(problem.span.start))
        })
    }

    #[test]
    fn keys_are_options_with_values_and_places() {
        let options = parse("jobs = 3\nstd = ['c++17', \"c11\"]\n", true).unwrap();
        let shown: Vec<(&str, usize)> = options.iter().map(|option| (option.name, option.values.len())).collect();
        assert_eq!(shown, [("std", 2), ("jobs", 1)]);
        assert_eq!(options[1].values, [("3".to_owned(), Span::new(7, 8))]);
        assert_eq!(parse("", true), Ok(Vec::new()));
    }

    #[test]
    fn mistakes_have_a_place() {
        assert!(parse("jbos = 3", true).unwrap_err().starts_with("unknown field `jbos`"));
        assert!(parse("\njobs = 'x'", true).unwrap_err().ends_with("(2, 8)"));
        assert!(parse("jobs = -1", true).is_err() && parse("jobs = ", true).is_err());
        let refused = parse("std = 'c++17'", true).unwrap_err();
        assert!(refused.contains("expected a sequence; write a list, as in `std = [\"c++17\"]`"), "{refused}");
    }

    #[test]
    fn file_of_a_package_shows_compilers_only_folders_beside_it() {
        assert!(parse("include = ['headers']", true).is_ok());
        for include in ["..", "/usr", "missing", "headers/../.."] {
            let problem = parse(&format!("include = ['{include}']"), true).unwrap_err();
            assert!(problem.contains("is not a folder beside `rebut.toml`"), "{problem}");
            assert!(parse(&format!("include = ['{include}']"), false).is_ok());
        }
    }
}
