//! The folder of a finding: everything that is needed to look at it, and to replay it.

use crate::diagnostic::{Error, Result, to_json_pretty};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// What a finding is, as `finding.json` keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Record {
    /// The version of this record's form.
    pub version: u32,
    /// Who is wrong: `submission` or `reference`.
    pub culprit: String,
    /// The verdict's code.
    pub verdict: String,
    /// The message in words.
    pub message: String,
    /// The submission's source or command, as given and made absolute.
    pub submission: PathBuf,
    /// The reference's.
    pub reference: Option<PathBuf>,
    /// Validators' sources or commands.
    pub validators: Vec<String>,
    /// The folder to which validators' paths are relative.
    pub folder: PathBuf,
    /// Standards of C and C++ that were chosen for the sources.
    #[serde(default)]
    pub standards: Vec<String>,
    /// Folders in which the sources find headers.
    #[serde(default)]
    pub includes: Vec<PathBuf>,
    /// The format's text, if there is one.
    pub format: Option<String>,
    /// The checker's name.
    pub checker: String,
    /// Processor time limit in milliseconds.
    pub cpu_time_limit_ms: u64,
    /// Memory limit in bytes.
    pub memory_limit_bytes: u64,
    /// The seed of the search that found it.
    pub seed: Option<u64>,
    /// The number of the input in that search, from 1.
    pub case: Option<u64>,
    /// The shape that made the input.
    pub shape: Option<String>,
    /// How many runs on the smallest input failed, and how many there were; none if all failed.
    pub flaky: Option<(u32, u32)>,
    /// Whether shrinking came to its end.
    pub shrink_complete: bool,
    /// How far it is proved that nothing smaller fails.
    #[serde(default)]
    pub certificate: Option<Certificate>,
}

/// How far it is proved that nothing smaller fails: the smaller valid inputs were run, the smallest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Certificate {
    /// How the `inputs` were run, which is what the statement rests on.
    #[serde(default)]
    pub kind: ProofKind,
    /// Number of smaller inputs that were run, in order from the smallest.
    pub inputs: u64,
    /// How many of these, from the smallest on, were run alone, in copies of a loaded process or in new ones.
    #[serde(default)]
    pub run_alone: u64,
    /// How many of these, from the smallest on, were run alone in new processes.
    #[serde(default)]
    pub run_in_processes: u64,
    /// Whether the `inputs` are all smaller ones that there are.
    pub complete: bool,
    /// Numbers and characters of the last of them.
    pub elements: usize,
    /// On how many of the smaller inputs there was no answer in time: of these nothing is known.
    pub unanswered: u64,
    /// How many of them fail, but in another way than the finding.
    pub failing_otherwise: u64,
    /// The inputs that have as many elements as the finding and are simpler, if all of them were run; where `complete`
    /// does not cover them anyway.
    #[serde(default)]
    pub same_size: Option<SameSize>,
    /// Whether the format allows several spellings of one number, of which only the shortest was run.
    #[serde(default)]
    pub shortest_spelling_only: bool,
    /// How long it took, in milliseconds.
    pub time_ms: u64,
}

/// How inputs were run for a proof, the weakest evidence first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProofKind {
    /// As the cases of larger files: proves something only if a case's result does not depend on the other cases, on its
    /// position, or on the number of cases.
    #[default]
    Packed,
    /// Each alone in a copy of a loaded process: proves something only if copies behave like new processes.
    Copies,
    /// Each alone in a new process.
    Processes,
}

/// All inputs of as many elements that are simpler: each was run alone in a new process, and none fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SameSize {
    /// Number of these inputs.
    pub inputs: u64,
}

/// The present form of [`Record`].
pub const RECORD_VERSION: u32 = 1;

/// All files of a finding.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    /// `finding.json`.
    pub record: Record,
    /// The smallest input.
    pub input: Vec<u8>,
    /// The first input that failed.
    pub original: Vec<u8>,
    /// The reference's answer to the smallest input.
    pub answer: Vec<u8>,
    /// The submission's output for it.
    pub output: Vec<u8>,
    /// The end of its standard error.
    pub stderr: Vec<u8>,
}

/// Writes a finding into a new folder below `parent`, named by the next free number and `name`. The folder appears
/// whole or not at all. `readme` is given the folder, so that it can name the replay command.
///
/// # Errors
/// If the folder cannot be made or written.
pub fn save(parent: &Path, name: &str, finding: &Finding, readme: &dyn Fn(&Path) -> String) -> Result<PathBuf> {
    fs::create_dir_all(parent).map_err(|e| Error::io("create", parent, &e))?;
    let hidden = tempfile::Builder::new()
        .prefix(".unfinished-")
        .tempdir_in(parent)
        .map_err(|e| Error::io("create a folder in", parent, &e))?;
    let mut number = next_number(parent)?;
    loop {
        let folder = parent.join(format!("{number:04}-{name}"));
        if folder.exists() {
            number += 1;
            continue;
        }
        write_all(hidden.path(), finding, &readme(&folder))?;
        match fs::rename(hidden.path(), &folder) {
            Ok(()) => {
                // The folder has its final name; there is nothing left to remove.
                let _ = hidden.keep();
                return Ok(folder);
            }
            Err(_) if folder.exists() => number += 1,
            Err(e) => return Err(Error::io("create", &folder, &e)),
        }
    }
}

/// Writes a finding in place of an earlier state of it, in one step: whenever this process ends, `folder` holds one of the
/// two, whole. The folder keeps its number; where `name` is another than before, it gets that name, and the earlier one is
/// removed last. Returns the folder.
///
/// # Errors
/// Returns an error if the new state cannot be written; the earlier one is still there then.
pub fn replace(folder: &Path, name: &str, finding: &Finding, readme: &dyn Fn(&Path) -> String) -> Result<PathBuf> {
    let (Some(parent), Some(old_name)) = (folder.parent(), folder.file_name().and_then(|name| name.to_str())) else {
        return Err(Error::operating(format!("`{}` is no folder of a finding", folder.display())));
    };
    let number = old_name.split('-').next().unwrap_or(old_name);
    let target = parent.join(format!("{number}-{name}"));
    let hidden = tempfile::Builder::new()
        .prefix(".unfinished-")
        .tempdir_in(parent)
        .map_err(|e| Error::io("create a folder in", parent, &e))?;
    write_all(hidden.path(), finding, &readme(&target))?;
    if target == folder {
        // What was there has the hidden name then, and goes with it.
        exchange(hidden.path(), folder).map_err(|e| Error::io("replace", folder, &e))?;
        return Ok(target);
    }
    fs::rename(hidden.path(), &target).map_err(|e| Error::io("create", &target, &e))?;
    let _ = hidden.keep();
    fs::remove_dir_all(folder).map_err(|e| Error::io("remove", folder, &e))?;
    Ok(target)
}

/// Lets two folders change their names, in one step where the file system can do that.
fn exchange(new: &Path, old: &Path) -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE).is_ok() {
            return Ok(());
        }
    }
    let aside = new.with_extension("replaced");
    fs::rename(old, &aside)?;
    fs::rename(new, old)?;
    fs::rename(&aside, new)
}

/// A new folder of our own among the temporary ones, for a finding that has no other place.
///
/// # Errors
/// If not even that can be made.
pub fn spare_folder() -> Result<PathBuf> {
    let folder = tempfile::Builder::new().prefix("rebut-findings-").tempdir();
    let folder = folder.map_err(|e| Error::io("create a folder in", &std::env::temp_dir(), &e))?;
    Ok(folder.keep())
}

fn next_number(parent: &Path) -> Result<u32> {
    let entries = fs::read_dir(parent).map_err(|e| Error::io("read", parent, &e))?;
    let numbers = entries.filter_map(|entry| {
        let name = entry.ok()?.file_name();
        name.to_str()?.split('-').next()?.parse::<u32>().ok()
    });
    Ok(numbers.max().unwrap_or(0) + 1)
}

fn write_all(folder: &Path, finding: &Finding, readme: &str) -> Result<()> {
    let json = to_json_pretty(&finding.record).map_err(|e| Error::operating(e.to_string()))?;
    let files: [(&str, &[u8]); 7] = [
        ("finding.json", json.as_bytes()),
        ("input.txt", &finding.input),
        ("original.txt", &finding.original),
        ("answer.txt", &finding.answer),
        ("output.txt", &finding.output),
        ("stderr.txt", &finding.stderr),
        ("README.md", readme.as_bytes()),
    ];
    for (name, bytes) in files {
        let path = folder.join(name);
        if name != "stderr.txt" || !bytes.is_empty() {
            fs::write(&path, bytes).map_err(|e| Error::io("write", &path, &e))?;
        }
    }
    make_readable(folder);
    Ok(())
}

/// Temporary folders are private; a finding is to be shared like any other file.
#[cfg(unix)]
fn make_readable(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o755));
}

#[cfg(not(unix))]
fn make_readable(_: &Path) {}

/// Reads the folder of a finding.
///
/// # Errors
/// If it is not one, is damaged, or is of a newer version.
pub fn load(folder: &Path) -> Result<Finding> {
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read(&path).map_err(|e| Error::unreadable(&path, &e).with_help("a finding is a folder with `finding.json`"))
    };
    let json = read("finding.json")?;
    let record: Record = serde_json::from_slice(&json)
        .map_err(|e| Error::usage(format!("`{}` is damaged: {e}", folder.join("finding.json").display())))?;
    if record.version > RECORD_VERSION {
        return Err(Error::usage(format!(
            "`{}` was written by a newer rebut (form {}, this one knows up to {RECORD_VERSION})",
            folder.display(),
            record.version
        )));
    }
    Ok(Finding {
        input: read("input.txt")?,
        original: read("original.txt").unwrap_or_default(),
        answer: read("answer.txt").unwrap_or_default(),
        output: read("output.txt").unwrap_or_default(),
        stderr: read("stderr.txt").unwrap_or_default(),
        record,
    })
}
