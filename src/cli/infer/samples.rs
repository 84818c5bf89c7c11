//! Finds sample inputs and their answers by their names, in the layouts of common tools, and infers a format from them.

use rebut_diagnostics::{Error, Result};
use rebut_infer::{Inference, Sample, infer_format};
use rebut_packages::{ShownSample, find_shown_samples, list_files, read_description, read_file};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Folders with samples, relative to that of a submission, in order of preference.
const SAMPLE_FOLDERS: [&str; 8] = ["", "tests", "test", "samples", "sample", "data/sample", "testcases", "examples"];

/// Folders with inputs and with answers below one of these, in archives of judges.
const FOLDERS_OF_HALVES: [&str; 8] = ["in", "input", "inputs", "out", "output", "outputs", "ans", "answers"];

/// The words of a name that make it that of an input, and in the same place those of its answer, in order of preference.
const INPUT_WORDS: [(&str, [&str; 3]); 4] = [
    ("in", ["ans", "out", "a"]),
    ("input", ["output", "answer", "ans"]),
    ("inputs", ["outputs", "answers", "answers"]),
    ("i", ["o", "o", "o"]),
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

/// File beside samples with the statement of the problem.
const STATEMENT_FILE: &str = "statement.txt";

/// Reads the statement in a file, or else in `statement.txt` of a folder. `None` if there is none.
///
/// # Errors
/// Returns an error if it cannot be read.
pub(in crate::cli) fn read_statement(path: Option<&Path>, folder: &Path) -> Result<Option<String>> {
    let beside = folder.join(STATEMENT_FILE);
    let path = path.or_else(|| beside.is_file().then_some(&*beside));
    let bytes = path.map(read_description).transpose()?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Returns the samples in a folder, in the order of their numbers.
pub(in crate::cli) fn samples_in(folder: &Path) -> Vec<SampleFile> {
    let base = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let halves = FOLDERS_OF_HALVES.iter().flat_map(|half| list_files(&base.join(half)));
    let files: Vec<PathBuf> = list_files(base).into_iter().chain(halves).collect();
    let names: Vec<&str> = files.iter().filter_map(|path| path.strip_prefix(base).ok()?.to_str()).collect();
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

/// The input of a sample, and its answer if there is one.
pub(in crate::cli) struct SampleTexts {
    pub(in crate::cli) name: String,
    pub(in crate::cli) input: Vec<u8>,
    pub(in crate::cli) answer: Option<Vec<u8>>,
}

/// Returns the samples that a statement shows. An output belongs to the input before it.
pub(in crate::cli) fn samples_in_statement(statement: &str) -> Vec<SampleTexts> {
    let mut found: Vec<SampleTexts> = Vec::new();
    for ShownSample { is_input, text, .. } in find_shown_samples(statement) {
        if is_input {
            let name = format!("sample {}", found.len() + 1);
            found.push(SampleTexts { name, input: text.into_bytes(), answer: None });
        } else if let Some(SampleTexts { answer: answer @ None, .. }) = found.last_mut() {
            *answer = Some(text.into_bytes());
        }
    }
    found
}

/// Reads the inputs of samples, or takes those that the statement shows if there are no files. Also returns their names
/// in messages, with paths in backquotes.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub(in crate::cli) fn read_samples(
    files: &[SampleFile],
    statement: Option<&str>,
) -> Result<(Vec<Sample>, Vec<String>)> {
    if files.is_empty() {
        let shown = samples_in_statement(statement.unwrap_or_default());
        let named = |sample: &SampleTexts| format!("{} of the statement", sample.name);
        return Ok(shown.iter().map(|sample| (Sample::new(named(sample), &sample.input), named(sample))).unzip());
    }
    let read = |file: &SampleFile| Ok(Sample::new(file.input.display().to_string(), &read_file(&file.input)?));
    Ok((files.iter().map(read).collect::<Result<_>>()?, sample_names(files)))
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
    let by_lowercase: BTreeMap<String, &str> = names.iter().map(|name| (name.to_ascii_lowercase(), *name)).collect();
    let find = |answer: String| by_lowercase.get(&answer).copied();
    let mut found = Vec::new();
    for (lowercase, input) in &by_lowercase {
        let words = input_words(lowercase);
        let answer = answer_names(lowercase, &words).into_iter().find_map(find);
        if answer.is_some() || lowercase.ends_with(".in") {
            found.push((sample_name(input, &words), *input, answer));
        }
    }
    found
}

/// Returns the places of the words that make a name that of an input, and which of the [`INPUT_WORDS`] they are.
fn input_words(lowercase: &str) -> Vec<(usize, usize)> {
    let letters = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
    let is_start = |at: usize| !lowercase[..at].ends_with(|c: char| c.is_ascii_alphabetic());
    let starts = lowercase.char_indices().map(|(at, _)| at).filter(|at| is_start(*at));
    let known = |at: usize| {
        let word = &lowercase[at..at + letters(&lowercase[at..])];
        INPUT_WORDS.iter().position(|(input, _)| *input == word)
    };
    starts.filter_map(|at| Some((at, known(at)?))).collect()
}

/// Returns the possible names of the answer to an input: all of its words replaced, or the last one.
fn answer_names(lowercase: &str, words: &[(usize, usize)]) -> Vec<String> {
    if words.is_empty() {
        // Polygon: 01, 01.a
        let is_number = lowercase.bytes().all(|b| b.is_ascii_digit());
        return if is_number { vec![format!("{lowercase}.a")] } else { Vec::new() };
    }
    let replace = |words: &[(usize, usize)], choice: usize| {
        words.iter().rev().fold(lowercase.to_owned(), |mut name, (at, word)| {
            let (input, answers) = INPUT_WORDS[*word];
            name.replace_range(*at..at + input.len(), answers[choice]);
            name
        })
    };
    (0..3).flat_map(|choice| [replace(words, choice), replace(&words[words.len() - 1..], choice)]).collect()
}

/// Returns the name of a sample: without the words and the folder.
fn sample_name(input: &str, words: &[(usize, usize)]) -> String {
    let file = input.rfind('/').map_or(0, |at| at + 1);
    let Some((at, word)) = words.last().filter(|(at, _)| *at >= file) else {
        let name = &input[file..];
        return name.strip_suffix(".txt").unwrap_or(name).to_owned();
    };
    let rest = &input[at + INPUT_WORDS[*word].0.len()..];
    let is_between = |c: char| "-_.".contains(c);
    let (before, after) = (input[file..*at].trim_end_matches(is_between), rest.strip_suffix(".txt").unwrap_or(rest));
    match (before, after.trim_start_matches(is_between)) {
        ("", "") => input[*at..input.len() - rest.len()].to_owned(),
        ("", after) => after.to_owned(),
        (before, "") => before.to_owned(),
        (before, after) => format!("{before}_{after}"),
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
        assert_eq!(pairs(&["1.in", "1.out", "1.ans"]), ["1: 1.in 1.ans"]);
    }

    #[test]
    fn layouts_of_archives_are_known() {
        assert_eq!(pairs(&["in/01.txt", "out/01.txt"]), ["01: in/01.txt out/01.txt"]);
        assert_eq!(pairs(&["in/a.in", "out/a.out"]), ["a: in/a.in out/a.out"]);
        assert_eq!(pairs(&["in/a.in", "in/a.txt"]), ["a: in/a.in -"]);
        assert_eq!(pairs(&["input/input00.txt", "output/output00.txt"]), ["00: input/input00.txt output/output00.txt"]);
        assert_eq!(pairs(&["1.IN", "1.OUT"]), ["1: 1.IN 1.OUT"]);
        assert_eq!(pairs(&["input.1", "output.1"]), ["1: input.1 output.1"]);
        assert_eq!(pairs(&["I.1", "O.1", "I.2"]), ["1: I.1 O.1"]);
        assert_eq!(
            pairs(&["sample_input_1.txt", "sample_output_1.txt"]),
            ["sample_1: sample_input_1.txt sample_output_1.txt"]
        );
        assert_eq!(pairs(&["input1.in", "input1.ans"]), ["input1: input1.in input1.ans"]);
    }

    #[test]
    fn other_files_are_no_samples() {
        assert!(pairs(&["sol.cpp", "Makefile", "index.txt", "notes.txt", "input.format", "a.out"]).is_empty());
    }
}
