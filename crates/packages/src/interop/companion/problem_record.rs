//! The origin and the limits of a problem, beside its samples: `problem.json`.

use rebut_diagnostics::to_json_pretty;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

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
}
