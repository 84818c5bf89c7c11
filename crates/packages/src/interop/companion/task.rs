//! The message about a problem.

use crate::Bundle;
use rebut_diagnostics::{count_with_noun, shorten_text, to_json_pretty};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// Maximum number of samples of a problem.
const MAX_TESTS: usize = 500;

/// Maximum number of characters of a name that is kept.
const MAX_TEXT: usize = 300;

/// A problem as the extension sends it. Other fields are ignored.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanionTask {
    /// The full name of the problem.
    pub name: String,
    /// The judge and the contest: `Codeforces - Round 40`.
    #[serde(default)]
    pub group: String,
    /// The address of the statement.
    #[serde(default)]
    pub url: String,
    /// True if submissions talk to a program of the judge.
    #[serde(default)]
    pub interactive: bool,
    /// Time limit in milliseconds.
    #[serde(default)]
    time_limit: f64,
    /// Memory limit in MiB.
    #[serde(default)]
    memory_limit: f64,
    /// The samples.
    #[serde(default)]
    pub tests: Vec<CompanionTest>,
    #[serde(default)]
    input: StreamSettings,
    #[serde(default)]
    output: StreamSettings,
    #[serde(default)]
    languages: LanguageSettings,
    #[serde(default)]
    batch: Batch,
}

/// A sample.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CompanionTest {
    /// The input.
    #[serde(default)]
    pub input: String,
    /// The answer; may be empty.
    #[serde(default)]
    pub output: String,
}

/// Where a submission reads its input, or writes its output.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct StreamSettings {
    r#type: String,
    file_name: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct LanguageSettings {
    java: JavaSettings,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JavaSettings {
    /// The name in ASCII.
    task_class: String,
}

/// The problems that one click sends.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Batch {
    id: String,
    size: u32,
}

impl CompanionTask {
    /// Parses a message.
    ///
    /// # Errors
    /// Returns a message that says why it is no problem.
    pub fn parse(message: &[u8]) -> Result<CompanionTask, String> {
        let task = serde_json::from_slice(message).and_then(|mut value| {
            remove_nulls(&mut value);
            serde_json::from_value(value)
        });
        let mut task: CompanionTask = task.map_err(|e| format!("the message is no problem: {e}"))?;
        if task.tests.len() > MAX_TESTS {
            let tests = count_with_noun(task.tests.len(), "sample");
            return Err(format!("the problem has {tests}, more than {MAX_TESTS}"));
        }
        for text in [&mut task.name, &mut task.group, &mut task.url] {
            *text = shorten_text(text.as_bytes(), MAX_TEXT);
        }
        Ok(task)
    }

    /// Returns the name of the problem's folder.
    pub fn folder_name(&self) -> String {
        folder_name_from(&[&self.name, &self.languages.java.task_class]).unwrap_or_else(|| "problem".to_owned())
    }

    /// Returns the name of the contest's folder, if a click sent a whole contest.
    pub fn contest_folder_name(&self) -> Option<String> {
        // The group begins with the judge.
        let contest = self.group.split_once(" - ").map_or("", |(_, contest)| contest);
        (self.batch.size > 1).then(|| folder_name_from(&[contest, &self.group]).unwrap_or_else(|| "contest".to_owned()))
    }

    /// Returns the identity of the click, and the number of problems that it sends.
    pub fn click(&self) -> (&str, u32) {
        (&self.batch.id, self.batch.size.max(1))
    }

    /// Returns what the folder says about the problem.
    pub fn record(&self) -> ProblemRecord {
        ProblemRecord {
            name: self.name.clone(),
            group: self.group.clone(),
            url: self.url.clone(),
            interactive: self.interactive,
            time_limit: self.time_limit,
            memory_limit: self.memory_limit,
            files: self.uses_files().then(|| [self.input.file_name.clone(), self.output.file_name.clone()]),
        }
    }

    /// Returns true if submissions read or write files instead of the standard streams.
    pub fn uses_files(&self) -> bool {
        [&self.input, &self.output].iter().any(|stream| matches!(&*stream.r#type, "file" | "regex"))
    }

    /// Returns the files of the problem's folder: samples, `problem.json`, and a format if there is one.
    ///
    /// # Errors
    /// Returns a message if they are too large.
    pub fn make_files(&self, format: Option<&str>) -> Result<Bundle, String> {
        let mut files = Bundle::default();
        files.insert(RECORD_FILE, self.record().to_bytes())?;
        for (test, number) in self.tests.iter().zip(1..) {
            files.insert(&format!("{number}.in"), with_newline(&test.input))?;
            if !test.output.is_empty() {
                files.insert(&format!("{number}.ans"), with_newline(&test.output))?;
            }
        }
        if let Some(format) = format {
            files.insert("input.format", format.as_bytes().to_vec())?;
        }
        Ok(files)
    }
}

/// Removes the fields that are `null`, which some judges have for a limit: they are missing.
fn remove_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, field| !field.is_null());
            fields.values_mut().for_each(remove_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_nulls),
        _ => {}
    }
}

/// Returns a text that ends with a newline, and has those of Unix.
fn with_newline(text: &str) -> Vec<u8> {
    let mut text = text.replace("\r\n", "\n");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.into_bytes()
}

// The origin and the limits of a problem, beside its samples: `problem.json`.

/// The file beside a submission that says where a problem comes from, and its limits.
pub const RECORD_FILE: &str = "problem.json";

/// Maximum length of the file in bytes.
const MAX_RECORD_BYTES: u64 = 64 << 10;

/// Maximum time limit in milliseconds.
const MAX_TIME_MS: f64 = 3_600_000.0;

/// Maximum memory limit in MiB.
const MAX_MEMORY_MIB: f64 = 1_048_576.0;

/// Where a problem comes from, and its limits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ProblemRecord {
    /// The name.
    pub name: String,
    /// The judge, and the contest.
    pub group: String,
    /// The address of the statement.
    pub url: String,
    /// True if submissions talk to a program of the judge.
    pub interactive: bool,
    /// Processor time limit of a submission in milliseconds.
    pub time_limit: f64,
    /// Memory limit of a submission in MiB.
    pub memory_limit: f64,
    /// Files in which submissions read their input and write their output, if both are files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<[String; 2]>,
}

impl ProblemRecord {
    /// Reads the record in a folder. `None` if there is none, or if the file is something else.
    pub fn load(folder: &Path) -> Option<ProblemRecord> {
        let path = folder.join(RECORD_FILE);
        let is_small = std::fs::metadata(&path).is_ok_and(|data| data.is_file() && data.len() <= MAX_RECORD_BYTES);
        let bytes = is_small.then(|| std::fs::read(&path).ok())??;
        // A list would be read as the fields in their order.
        let value: Value = serde_json::from_slice(&bytes).ok()?;
        value.is_object().then(|| serde_json::from_value(value).ok())?
    }

    /// Returns the time limit, if it is a sensible one.
    pub fn time_limit(&self) -> Option<Duration> {
        let is_sensible = self.time_limit >= 1.0 && self.time_limit <= MAX_TIME_MS;
        is_sensible.then(|| Duration::from_secs_f64(self.time_limit / 1000.0))
    }

    /// Returns the memory limit in MiB, if it is a sensible one.
    pub fn memory_limit_mib(&self) -> Option<u64> {
        let is_sensible = self.memory_limit >= 1.0 && self.memory_limit <= MAX_MEMORY_MIB;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
        is_sensible.then_some(self.memory_limit as u64)
    }

    /// Returns the names of the files in which submissions read their input and write their output, if both are plain names.
    pub fn file_names(&self) -> Option<[String; 2]> {
        let is_plain = |name: &String| !name.is_empty() && !name.contains(['/', '\\']) && name != "." && name != "..";
        self.files.clone().filter(|names| names.iter().all(is_plain) && names[0] != names[1])
    }

    /// Returns the content of the file.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let text = to_json_pretty(self).unwrap_or_default();
        (text + "\n").into_bytes()
    }
}

// Names of folders from names of problems and contests.

/// Maximum length of a name.
const MAX_NAME: usize = 60;

/// Names that Windows reserves for devices.
const RESERVED: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// Returns the first of these texts that has a letter or a digit, as a name of a folder: lower-case letters and digits
/// of any script, joined by `-`. `None` if there is no such text.
pub(super) fn folder_name_from(texts: &[&str]) -> Option<String> {
    texts.iter().map(|text| plain_name(text)).find(|name| !name.is_empty())
}

fn plain_name(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() {
            name.extend(c.to_lowercase());
        } else if !name.is_empty() && !name.ends_with('-') && c != '\'' && (c.is_ascii() || c.is_whitespace()) {
            // Other characters, such as signs of vowels and accents, do not end a word.
            name.push('-');
        }
        if name.len() >= MAX_NAME {
            break;
        }
    }
    name.truncate(name.trim_end_matches('-').len());
    if RESERVED.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit())) {
        name.push_str("-problem");
    }
    name
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn parse(message: &str) -> CompanionTask {
        CompanionTask::parse(message.as_bytes()).unwrap()
    }

    #[test]
    fn least_message_is_a_name() {
        let task = parse(r#"{"name": "Sum"}"#);
        assert_eq!((task.folder_name(), task.contest_folder_name()), ("sum".to_owned(), None));
        assert_eq!(task.click(), ("", 1));
        assert_eq!(task.make_files(None).unwrap().len(), 1);
        let nulls = parse(
            r#"{"name": "Sum", "timeLimit": null, "batch": {"id": null}, "tests": [{"input": "1", "output": null}]}"#,
        );
        assert_eq!((nulls.click(), nulls.tests[0].output.as_str()), (("", 1), ""));
        assert!(CompanionTask::parse(b"{}").unwrap_err().contains("missing field `name`"));
        assert!(CompanionTask::parse(b"\xff").is_err());
    }

    #[test]
    fn problems_of_a_contest_share_a_folder() {
        let task = parse(r#"{"name": "A", "group": "Codeforces - Round 4 (Div. 2)", "batch": {"id": "x", "size": 3}}"#);
        assert_eq!(task.contest_folder_name().as_deref(), Some("round-4-div-2"));
        assert_eq!(task.click(), ("x", 3));
        let task = parse(r#"{"name": "🏰", "languages": {"java": {"taskClass": "Ataeru"}}, "batch": {"size": 2}}"#);
        assert_eq!((task.folder_name(), task.contest_folder_name()), ("ataeru".to_owned(), Some("contest".to_owned())));
    }

    #[test]
    fn samples_end_with_newlines_and_may_lack_answers() {
        let task = parse(r#"{"name": "A", "tests": [{"input": "1\r\n2"}, {"input": "3\n", "output": "4"}]}"#);
        let files = task.make_files(Some("n\n")).unwrap();
        let names: Vec<&str> = files.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["1.in", "2.ans", "2.in", "input.format", "problem.json"]);
        assert_eq!(files.get("1.in").unwrap(), b"1\n2\n");
        assert_eq!(files.get("2.ans").unwrap(), b"4\n");
    }

    #[test]
    fn too_many_samples_are_refused() {
        let tests = vec![r#"{"input": "1"}"#; MAX_TESTS + 1].join(",");
        let message = format!(r#"{{"name": "A", "tests": [{tests}]}}"#);
        assert!(CompanionTask::parse(message.as_bytes()).unwrap_err().contains("501 samples"));
    }

    #[test]
    fn limits_that_are_none_are_left_out() {
        let limits = |time_limit, memory_limit| {
            let record = ProblemRecord { time_limit, memory_limit, ..ProblemRecord::default() };
            (record.time_limit().map(|time| time.as_millis()), record.memory_limit_mib())
        };
        assert_eq!(limits(1500.0, 256.0), (Some(1500), Some(256)));
        assert_eq!(limits(0.0, -1.0), (None, None));
        assert_eq!(limits(f64::NAN, f64::INFINITY), (None, None));
    }

    #[test]
    fn record_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(ProblemRecord::load(folder.path()), None);
        let record = ProblemRecord { name: "é\u{202e}".to_owned(), time_limit: 2.0, ..ProblemRecord::default() };
        std::fs::write(folder.path().join(RECORD_FILE), record.to_bytes()).unwrap();
        assert_eq!(ProblemRecord::load(folder.path()), Some(record));
        std::fs::write(folder.path().join(RECORD_FILE), "[]").unwrap();
        assert_eq!(ProblemRecord::load(folder.path()), None);
    }

    #[test]
    fn names_are_plain() {
        for (text, name) in [
            ("G. Castle Defense", "g-castle-defense"),
            ("../../.ssh/authorized_keys", "ssh-authorized-keys"),
            ("C:\\Windows\\con", "c-windows-con"),
            ("CON", "con-problem"),
            ("lpt1", "lpt1-problem"),
            ("Bob's  \u{202e}\u{7}sum!", "bobs-sum"),
            ("-rf", "rf"),
            ("A - 与え", "a-与え"),
            ("Số đẹp", "số-đẹp"),
            ("Cafe\u{301} au lait", "cafe-au-lait"),
            ("क्षेत्रफल", "कषेतरफल"),
            ("🏰 (!)", ""),
        ] {
            assert_eq!(plain_name(text), name);
        }
        assert_eq!(plain_name(&"ab ".repeat(99)).len(), 59);
        assert_eq!(folder_name_from(&["🏰", "Ataeru"]).as_deref(), Some("ataeru"));
        assert_eq!(folder_name_from(&["..", ""]), None);
    }
}
