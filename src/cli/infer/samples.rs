//! Finds sample inputs and their answers by their names, in the layouts of common tools, and infers a format from them.

use rebut_diagnostics::{Error, Result, list_and};
use rebut_infer::{Inference, Sample, infer_format};
use rebut_packages::{list_files, read_file};
use std::path::{Path, PathBuf};

/// Folders with samples, relative to that of a submission, in order of preference.
const SAMPLE_FOLDERS: [&str; 8] = ["", "tests", "test", "samples", "sample", "data/sample", "testcases", "examples"];

/// An input and its answer, and what precedes the number in the file names of both.
struct NamePattern {
    input: (&'static str, &'static str),
    answer: (&'static str, &'static str),
}

/// Names of inputs and answers: what surrounds the part that they share.
const NAME_PATTERNS: [NamePattern; 8] = [
    NamePattern { input: ("", ".in"), answer: ("", ".ans") },
    NamePattern { input: ("", ".in"), answer: ("", ".out") },
    NamePattern { input: ("", ".in"), answer: ("", ".a") },
    NamePattern { input: ("", ".in.txt"), answer: ("", ".out.txt") },
    // cf-tool: in1.txt, ans1.txt
    NamePattern { input: ("in", ".txt"), answer: ("ans", ".txt") },
    NamePattern { input: ("in", ".txt"), answer: ("out", ".txt") },
    NamePattern { input: ("input", ".txt"), answer: ("output", ".txt") },
    // Polygon: 01, 01.a
    NamePattern { input: ("", ""), answer: ("", ".a") },
];

/// A sample: its input, and its answer if there is a file with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct SampleFile {
    pub(in crate::cli) name: String,
    pub(in crate::cli) input: PathBuf,
    pub(in crate::cli) answer: Option<PathBuf>,
}

/// Returns the samples beside a program: those of the first folder that has some. Inputs named `sample` come alone if
/// there are any, because other inputs beside them may be large.
pub(in crate::cli) fn find_samples(folder: &Path) -> Vec<SampleFile> {
    let found = SAMPLE_FOLDERS.iter().map(|name| samples_in(&folder.join(name)));
    found.into_iter().find(|samples| !samples.is_empty()).unwrap_or_default()
}

/// Returns the samples in a folder, in the order of their numbers.
pub(in crate::cli) fn samples_in(folder: &Path) -> Vec<SampleFile> {
    let files = list_files(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let names: Vec<&str> = files.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    let mut samples: Vec<SampleFile> = pair_names(&names)
        .into_iter()
        .map(|(name, input, answer)| SampleFile {
            name,
            input: folder.join(input),
            answer: answer.map(|answer| folder.join(answer)),
        })
        .collect();
    if samples.iter().any(|sample| sample.name.starts_with("sample")) {
        samples.retain(|sample| sample.name.starts_with("sample"));
    }
    samples.sort_by_key(|sample| (number_in(&sample.name), sample.name.clone()));
    samples
}

/// Returns the samples named on the command line: files of inputs, and folders.
pub(in crate::cli) fn samples_from_paths(paths: &[PathBuf]) -> Vec<SampleFile> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(samples_in(path));
            continue;
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let beside = samples_in(folder).into_iter().find(|sample| sample.input.file_name() == path.file_name());
        let answer = beside.and_then(|sample| sample.answer);
        let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
        found.push(SampleFile { name: stem.to_owned(), input: path.clone(), answer });
    }
    found
}

/// Infers a format from files.
///
/// # Errors
/// Returns an error if a file cannot be read, or if no layout fits all of them.
pub(in crate::cli) fn infer_from_files(files: &[SampleFile], statement: Option<&str>) -> Result<Inference> {
    infer_from_samples(&read_samples(files)?, &list_and(&sample_names(files)), statement)
}

/// Reads the inputs of samples.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub(in crate::cli) fn read_samples(files: &[SampleFile]) -> Result<Vec<Sample>> {
    files.iter().map(|file| Ok(Sample::new(file.input.display().to_string(), &read_file(&file.input)?))).collect()
}

/// Infers a format from samples; `names` is how messages call them.
///
/// # Errors
/// Returns an error if no layout fits all of them.
pub(in crate::cli) fn infer_from_samples(
    samples: &[Sample],
    names: &str,
    statement: Option<&str>,
) -> Result<Inference> {
    infer_format(samples, statement).map_err(|problem| {
        let place = if names.is_empty() { String::new() } else { format!("{names}: ") };
        Error::usage_error(format!("{place}{problem}")).with_help("describe the input by hand: `rebut format --help`")
    })
}

/// Returns the paths of the inputs in backquotes.
pub(in crate::cli) fn sample_names(files: &[SampleFile]) -> Vec<String> {
    files.iter().map(|file| format!("`{}`", file.input.display())).collect()
}

/// Pairs the names of inputs with those of answers. Inputs without answers are samples as well if their names say so.
fn pair_names<'n>(names: &[&'n str]) -> Vec<(String, &'n str, Option<&'n str>)> {
    let mut found: Vec<(String, &'n str, Option<&'n str>)> = Vec::new();
    for pattern in &NAME_PATTERNS {
        for input in names {
            let Some(shared) = shared_part(input, pattern.input) else { continue };
            let answer = format!("{}{shared}{}", pattern.answer.0, pattern.answer.1);
            let answer = names.iter().find(|name| **name == answer).copied();
            let is_input = answer.is_some() || input.ends_with(".in");
            match found.iter_mut().find(|(_, known, _)| known == input) {
                Some((_, _, known)) => *known = known.or(answer),
                None if is_input => found.push((shared_name(shared, pattern.input.0), input, answer)),
                None => {}
            }
        }
    }
    found
}

/// Returns what is between a prefix and a suffix of a name.
fn shared_part<'n>(name: &'n str, (prefix, suffix): (&str, &str)) -> Option<&'n str> {
    let shared = name.strip_prefix(prefix)?.strip_suffix(suffix)?;
    // `Makefile` and `sol.cpp` are no inputs: names without a suffix are numbers.
    let is_number = !shared.is_empty() && shared.bytes().all(|b| b.is_ascii_digit());
    (!suffix.is_empty() || is_number).then_some(shared).filter(|shared| {
        prefix.is_empty() || shared.is_empty() || shared.starts_with(|c: char| !c.is_ascii_alphabetic())
    })
}

/// Returns the name of a sample.
fn shared_name(shared: &str, prefix: &str) -> String {
    let name = shared.trim_matches(['-', '_', '.']);
    if name.is_empty() && prefix.is_empty() {
        "1".to_owned()
    } else if name.is_empty() {
        prefix.to_owned()
    } else {
        name.to_owned()
    }
}

/// Returns the first number in a name, for sorting.
fn number_in(name: &str) -> u64 {
    let digits: String = name.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The samples among some names, as `name: input answer`.
    fn pairs(names: &[&str]) -> Vec<String> {
        let found = pair_names(names).into_iter();
        found.map(|(name, input, answer)| format!("{name}: {input} {}", answer.unwrap_or("-"))).collect()
    }

    #[test]
    fn layouts_of_common_tools_are_known() {
        assert_eq!(pairs(&["sample-1.in", "sample-1.out", "sol.cpp"]), ["sample-1: sample-1.in sample-1.out"]);
        assert_eq!(pairs(&["1.in", "1.ans", "2.in"]), ["1: 1.in 1.ans", "2: 2.in -"]);
        assert_eq!(pairs(&["in1.txt", "ans1.txt"]), ["1: in1.txt ans1.txt"]);
        assert_eq!(pairs(&["input.txt", "output.txt"]), ["input: input.txt output.txt"]);
        assert_eq!(pairs(&["input0.txt", "output0.txt"]), ["0: input0.txt output0.txt"]);
        assert_eq!(pairs(&["01", "01.a"]), ["01: 01 01.a"]);
    }

    #[test]
    fn other_files_are_no_samples() {
        assert!(pairs(&["sol.cpp", "Makefile", "index.txt", "notes.txt", "input.format", "a.out"]).is_empty());
    }
}
