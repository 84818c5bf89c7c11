//! The folder of a finding: the files needed to inspect a failure and to replay it.

use rebut_diagnostics::{Error, Result, to_json_pretty};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// The file that makes a folder a finding.
pub const FINDING_FILE: &str = "finding.json";

/// Description of a finding, stored as `finding.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindingRecord {
    /// Version of the record's format.
    pub version: u32,
    /// The program at fault: `submission` or `reference`.
    pub culprit: String,
    /// Code of the verdict.
    pub verdict: String,
    /// Message for the user.
    pub message: String,
    /// Source or command of the submission, as given but absolute.
    pub submission: PathBuf,
    /// Source or command of the reference.
    pub reference: Option<PathBuf>,
    /// Sources or commands of the validators.
    pub validators: Vec<String>,
    /// Folder that paths of validators are relative to.
    pub folder: PathBuf,
    /// C and C++ standards chosen for the sources.
    #[serde(default)]
    pub standards: Vec<String>,
    /// Include folders for the sources.
    #[serde(default)]
    pub includes: Vec<PathBuf>,
    /// Files in which the programs read their input and write their output, if they use files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<[String; 2]>,
    /// Text of the format, if one was given.
    pub format: Option<String>,
    /// The expression that holds on the input, if it was searched for one; the submission is its first program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finder: Option<FinderRecord>,
    /// Name of the checker.
    pub checker: String,
    /// CPU time limit in milliseconds.
    pub cpu_time_limit_ms: u64,
    /// Memory limit in bytes.
    pub memory_limit_bytes: u64,
    /// Seed of the search that found it.
    pub seed: Option<u64>,
    /// Number of the input in that search, from 1.
    pub case: Option<u64>,
    /// Shape that generated the input.
    pub shape: Option<String>,
    /// The generator that takes its choices from `choices.txt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generator: Option<GeneratorRecord>,
    /// Number of failing runs on the smallest input, and number of runs; `None` if all of them failed.
    pub flaky: Option<(u32, u32)>,
    /// Whether shrinking finished.
    pub shrink_complete: bool,
    /// How far it has been proved that no smaller input fails.
    #[serde(default)]
    pub certificate: Option<Certificate>,
}

/// An expression about several programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FinderRecord {
    /// Its text.
    pub expression: String,
    /// Sources of the programs that it mentions.
    pub programs: Vec<PathBuf>,
}

/// A generator that takes its choices from rebut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeneratorRecord {
    /// Its source or command.
    pub command: String,
    /// Whether it prints the smallest failing input for these choices; if not, that was made from what it prints.
    pub prints_input: bool,
}

/// How far it has been proved that no smaller input fails. The smaller valid inputs were run, smallest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Certificate {
    /// How the `inputs` were run, which decides how strong the evidence is.
    #[serde(default)]
    pub kind: ProofKind,
    /// Number of smaller inputs that were run, counted from the smallest.
    pub inputs: u64,
    /// Number of these, counted from the smallest, that were run alone, in reused processes or in new
    /// processes.
    #[serde(default)]
    pub run_alone: u64,
    /// Number of these, counted from the smallest, that were run alone in new processes.
    #[serde(default)]
    pub run_in_processes: u64,
    /// Whether `inputs` covers all smaller inputs.
    pub complete: bool,
    /// Number of elements (numbers and characters) of the last of them.
    pub elements: usize,
    /// Number of smaller inputs without an answer in time. Nothing is known about these.
    pub unanswered: u64,
    /// Number of smaller inputs that fail in a different way from the finding.
    pub failing_otherwise: u64,
    /// Set if all simpler inputs with as many elements as the finding were run, and `complete` does not cover them
    /// already.
    #[serde(default)]
    pub same_size: Option<SameSizeProof>,
    /// Whether the format allows several spellings of a number, of which only the shortest was run.
    #[serde(default)]
    pub shortest_spelling_only: bool,
    /// Duration of the proof, in milliseconds.
    pub time_ms: u64,
}

/// How the inputs of a proof were run, from the weakest evidence to the strongest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProofKind {
    /// As cases of larger files. This proves something only if the result of a case does not depend on the other
    /// cases, on its position, or on the number of cases.
    #[default]
    Packed,
    /// Each alone in a copy of a loaded process. This proves something only if copies behave like new processes.
    Copies,
    /// Each alone in a new process.
    Processes,
}

/// Proof that no simpler input with the same number of elements fails: each was run alone in a new process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SameSizeProof {
    /// Number of these inputs.
    pub inputs: u64,
}

/// The file with the choices for a generator.
const CHOICES_FILE: &str = "choices.txt";

/// Current version of [`FindingRecord`].
pub const FINDING_RECORD_VERSION: u32 = 1;

/// The contents of a finding's folder.
#[derive(Clone, Debug, Default)]
pub struct FindingFiles {
    /// `finding.json`.
    pub record: FindingRecord,
    /// Smallest failing input.
    pub input: Vec<u8>,
    /// First failing input.
    pub original: Vec<u8>,
    /// The reference's answer to the smallest input.
    pub answer: Vec<u8>,
    /// The submission's output for the smallest input.
    pub output: Vec<u8>,
    /// End of the submission's standard error.
    pub stderr: Vec<u8>,
    /// The choices for the generator, as it reads them from its standard input. Empty if there are none.
    pub choices: Vec<u8>,
}

/// The pages of a finding, for people.
#[derive(Clone, Debug, Default)]
pub struct FindingPages {
    /// `README.md`.
    pub readme: String,
    /// `finding.html`.
    pub html: String,
}

/// Writes a finding into a new folder below `parent`, named after the next free number and `name`. The folder is
/// created atomically. `pages` is called with the folder, so that they can name the replay command.
///
/// # Errors
///
/// Returns an error if the folder cannot be created or written.
pub fn save_finding(
    parent: &Path,
    name: &str,
    finding: &FindingFiles,
    pages: &dyn Fn(&Path) -> FindingPages,
) -> Result<PathBuf> {
    fs::create_dir_all(parent).map_err(|e| Error::io_error("create", parent, &e))?;
    let hidden = tempfile::Builder::new()
        .prefix(".unfinished-")
        .tempdir_in(parent)
        .map_err(|e| Error::io_error("create a folder in", parent, &e))?;
    let mut number = next_finding_number(parent)?;
    loop {
        let folder = parent.join(format!("{number:04}-{name}"));
        if folder.exists() {
            number += 1;
            continue;
        }
        write_finding_files(hidden.path(), finding, &pages(&folder))?;
        match fs::rename(hidden.path(), &folder) {
            Ok(()) => {
                // The folder has been renamed, so there is nothing left to remove.
                let _ = hidden.keep();
                return Ok(folder);
            }
            Err(_) if folder.exists() => number += 1,
            Err(e) => return Err(Error::io_error("create", &folder, &e)),
        }
    }
}

/// Replaces a finding by a new state of it, atomically: if this process is killed, `folder` holds one of the two
/// states in full. The folder keeps its number. If `name` has changed, the folder is renamed, and the earlier one is
/// removed last. Returns the new folder.
///
/// # Errors
///
/// Returns an error if the new state cannot be written. The earlier one is kept in that case.
pub fn replace_finding(
    folder: &Path,
    name: &str,
    finding: &FindingFiles,
    pages: &dyn Fn(&Path) -> FindingPages,
) -> Result<PathBuf> {
    let (Some(parent), Some(old_name)) = (folder.parent(), folder.file_name().and_then(|name| name.to_str())) else {
        return Err(Error::operating_error(format!("`{}` is not the folder of a finding", folder.display())));
    };
    let number = old_name.split('-').next().unwrap_or(old_name);
    let target = parent.join(format!("{number}-{name}"));
    let hidden = tempfile::Builder::new()
        .prefix(".unfinished-")
        .tempdir_in(parent)
        .map_err(|e| Error::io_error("create a folder in", parent, &e))?;
    write_finding_files(hidden.path(), finding, &pages(&target))?;
    if target == folder {
        // The earlier state now has the hidden name and is removed with it.
        exchange_folders(hidden.path(), folder).map_err(|e| Error::io_error("replace", folder, &e))?;
        return Ok(target);
    }
    fs::rename(hidden.path(), &target).map_err(|e| Error::io_error("create", &target, &e))?;
    let _ = hidden.keep();
    fs::remove_dir_all(folder).map_err(|e| Error::io_error("remove", folder, &e))?;
    Ok(target)
}

/// Exchanges two folders, atomically if the file system supports that.
fn exchange_folders(new: &Path, old: &Path) -> std::io::Result<()> {
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

/// Creates a temporary folder for a finding that cannot be saved anywhere else.
///
/// # Errors
///
/// Returns an error if no temporary folder can be created.
pub fn create_spare_folder() -> Result<PathBuf> {
    let folder = tempfile::Builder::new().prefix("rebut-findings-").tempdir();
    let folder = folder.map_err(|e| Error::io_error("create a folder in", &std::env::temp_dir(), &e))?;
    Ok(folder.keep())
}

fn next_finding_number(parent: &Path) -> Result<u32> {
    let entries = fs::read_dir(parent).map_err(|e| Error::io_error("read", parent, &e))?;
    let numbers = entries.filter_map(|entry| {
        let name = entry.ok()?.file_name();
        name.to_str()?.split('-').next()?.parse::<u32>().ok()
    });
    Ok(numbers.max().unwrap_or(0) + 1)
}

fn write_finding_files(folder: &Path, finding: &FindingFiles, pages: &FindingPages) -> Result<()> {
    let json = to_json_pretty(&finding.record).map_err(|e| Error::operating_error(e.to_string()))?;
    let files: [(&str, &[u8]); 9] = [
        (FINDING_FILE, json.as_bytes()),
        ("input.txt", &finding.input),
        ("original.txt", &finding.original),
        ("answer.txt", &finding.answer),
        ("output.txt", &finding.output),
        ("stderr.txt", &finding.stderr),
        (CHOICES_FILE, &finding.choices),
        ("README.md", pages.readme.as_bytes()),
        ("finding.html", pages.html.as_bytes()),
    ];
    for (name, bytes) in files {
        let path = folder.join(name);
        if !matches!(name, "stderr.txt" | CHOICES_FILE) || !bytes.is_empty() {
            fs::write(&path, bytes).map_err(|e| Error::io_error("write", &path, &e))?;
        }
    }
    make_readable(folder);
    Ok(())
}

/// Makes the folder readable for other users: temporary folders are private, but findings are meant to be shared.
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
///
/// Returns an error if it is not the folder of a finding, is damaged, or was written by a newer version.
pub fn load_finding(folder: &Path) -> Result<FindingFiles> {
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read(&path).map_err(|e| {
            Error::unreadable_file(&path, &e).with_help("a finding is a folder that contains `finding.json`")
        })
    };
    let json = read(FINDING_FILE)?;
    let record: FindingRecord = serde_json::from_slice(&json)
        .map_err(|e| Error::usage_error(format!("`{}` is damaged: {e}", folder.join(FINDING_FILE).display())))?;
    if record.version > FINDING_RECORD_VERSION {
        return Err(Error::usage_error(format!(
            "`{}` was written by a newer rebut (format version {}, supported up to {FINDING_RECORD_VERSION})",
            folder.display(),
            record.version
        )));
    }
    Ok(FindingFiles {
        input: read("input.txt")?,
        original: read("original.txt").unwrap_or_default(),
        answer: read("answer.txt").unwrap_or_default(),
        output: read("output.txt").unwrap_or_default(),
        stderr: read("stderr.txt").unwrap_or_default(),
        choices: read(CHOICES_FILE).unwrap_or_default(),
        record,
    })
}
