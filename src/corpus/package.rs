//! Problem packages in the ICPC layout, as far as a search needs them: the format, limits, the reference, validators
//! and submissions.

use crate::diagnostic::{Error, Result, nearest};
use rebut_checkers::Checker;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// A problem package.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its folder.
    pub folder: PathBuf,
    /// Its short name: the folder's.
    pub id: String,
    /// Its `input.format`, if it has one.
    pub format: Option<PathBuf>,
    /// Processor time limit in milliseconds, if stated.
    pub cpu_time_limit_ms: Option<u64>,
    /// Memory limit in bytes, if stated.
    pub memory_limit_bytes: Option<u64>,
    /// Output limit in bytes, if stated.
    pub output_limit_bytes: Option<u64>,
    /// The flags of the default checker.
    validator_flags: String,
    /// Whether it has a checker of its own.
    custom_checker: bool,
    /// Programs in `input_validators/`.
    pub validators: Vec<PathBuf>,
    /// Everything in `submissions/`, sorted.
    pub submissions: Vec<Program>,
}

/// A submission of a package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Program {
    /// The folder below `submissions/`, by which its expectation is known: `accepted`, `wrong_answer`, ...
    pub expectation: String,
    /// The source.
    pub path: PathBuf,
}

#[derive(Debug, Default, Deserialize)]
struct Yaml {
    #[serde(default)]
    limits: Option<Limits>,
    #[serde(default)]
    validator_flags: Option<String>,
    #[serde(default)]
    validation: Option<serde_json::Value>,
}

/// Megabytes, as the package format counts them, are MiB.
#[derive(Debug, Default, Deserialize)]
struct Limits {
    #[serde(default)]
    time_limit: Option<f64>,
    #[serde(default)]
    memory: Option<u64>,
    #[serde(default)]
    output: Option<u64>,
}

impl Package {
    /// Reads a package.
    ///
    /// # Errors
    /// If the folder is none, or its `problem.yaml` is broken or asks for what is not supported.
    pub fn load(folder: &Path) -> Result<Package> {
        if !folder.is_dir() {
            return Err(Error::usage(format!("`{}` is not a folder", folder.display()))
                .with_help("a problem is a folder with `problem.yaml` or `input.format`"));
        }
        let yaml = read_yaml(&folder.join("problem.yaml"))?;
        let format = Some(folder.join("input.format")).filter(|p| p.is_file());
        let limits = yaml.limits.unwrap_or_default();
        let mebibytes = |m: u64| m.saturating_mul(1 << 20);
        Ok(Package {
            id: name_of(folder),
            format,
            cpu_time_limit_ms: time_limit(folder, limits.time_limit)?,
            memory_limit_bytes: limits.memory.map(mebibytes),
            output_limit_bytes: limits.output.map(mebibytes),
            validator_flags: yaml.validator_flags.unwrap_or_default(),
            custom_checker: yaml.validation.as_ref().and_then(|v| v.as_str()).is_some_and(|v| v.starts_with("custom")),
            validators: programs(&folder.join("input_validators")),
            submissions: submissions(&folder.join("submissions")),
            folder: folder.to_owned(),
        })
    }

    /// The submissions that answers can be taken from, best first: of the accepted ones the one called `reference`, then
    /// those called `fast`, then the others by name.
    pub fn references(&self) -> Vec<PathBuf> {
        let rank = |path: &PathBuf| match path.file_stem().and_then(|s| s.to_str()) {
            Some("reference") => 0,
            Some("fast") => 1,
            _ => 2,
        };
        let accepted = self.submissions.iter().filter(|p| p.expectation == "accepted");
        let mut paths: Vec<PathBuf> = accepted.map(|p| p.path.clone()).collect();
        paths.sort_by_key(rank);
        paths
    }

    /// The checker that the package asks for.
    ///
    /// # Errors
    /// If it has a checker of its own, or flags that nobody knows.
    pub fn checker(&self) -> Result<Checker> {
        checker(&self.folder, self.custom_checker, &self.validator_flags)
    }
}

/// The folder's own name, also for `.`.
fn name_of(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    whole.file_name().map_or_else(|| "problem".to_owned(), |n| n.to_string_lossy().into_owned())
}

fn read_yaml(path: &Path) -> Result<Yaml> {
    if !path.exists() {
        return Ok(Yaml::default());
    }
    let bytes = super::read_file(path)?;
    let text = String::from_utf8(bytes).map_err(|_| Error::usage(format!("`{}` is not UTF-8", path.display())))?;
    serde_saphyr::from_str(&text)
        .map_err(|e| Error::usage(format!("`{}` cannot be read", path.display())).with_note(e.to_string()))
}

/// Seconds from `problem.yaml`, or from the `.timelimit` file of older packages.
fn time_limit(folder: &Path, stated: Option<f64>) -> Result<Option<u64>> {
    let old = folder.join(".timelimit");
    let seconds = match stated {
        Some(seconds) => Some(seconds),
        None if old.is_file() => {
            let text = String::from_utf8_lossy(&super::read_file(&old)?).trim().to_owned();
            let seconds = text.parse::<f64>();
            Some(seconds.map_err(|_| Error::usage(format!("`{}` holds no number of seconds", old.display())))?)
        }
        None => None,
    };
    match seconds {
        Some(s) if !(s > 0.0 && s < 1e6) => Err(Error::usage(format!(
            "the time limit of `{}` is not a sensible number of seconds: {s}",
            folder.display()
        ))),
        other => Ok(other.map(|s| (s * 1000.0).ceil() as u64)),
    }
}

/// The default validator's flags as a checker.
fn checker(folder: &Path, custom: bool, flags: &str) -> Result<Checker> {
    if custom {
        return Err(Error::usage(format!("`{}` has a custom output validator", folder.display()))
            .with_help("name a checker with `--checker`"));
    }
    Checker::from_validator_flags(flags).map_err(|why| Error::usage(format!("`{}`: {why}", folder.display())))
}

/// Files of a folder that can be programs, sorted; hidden ones and leftovers of editors are not.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder).min_depth(1).max_depth(1).sort_by_file_name();
    let files = entries.into_iter().filter_map(std::result::Result::ok).filter(|e| e.file_type().is_file());
    files.map(walkdir::DirEntry::into_path).filter(|p| is_program(p)).collect()
}

fn is_program(path: &Path) -> bool {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    !name.starts_with('.') && !matches!(extension, "bak" | "orig" | "template" | "md" | "txt" | "yaml" | "h" | "hpp")
}

fn submissions(folder: &Path) -> Vec<Program> {
    let folders = WalkDir::new(folder).min_depth(1).max_depth(1).sort_by_file_name();
    let folders = folders.into_iter().filter_map(std::result::Result::ok).filter(|e| e.file_type().is_dir());
    folders
        .flat_map(|entry| {
            let expectation = entry.file_name().to_string_lossy().into_owned();
            programs(entry.path()).into_iter().map(move |path| Program { expectation: expectation.clone(), path })
        })
        .collect()
}

/// The file that a user means by the name of a submission: a path, or a name within the package.
///
/// # Errors
/// If there is no such file; the nearest name is proposed.
pub fn find_submission(name: &Path, package: Option<&Package>) -> Result<PathBuf> {
    if name.exists() {
        return Ok(name.to_owned());
    }
    let known = package.map_or(&[][..], |p| &p.submissions);
    let file_name = |p: &Path| p.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let wanted = name.to_string_lossy();
    let matches =
        |p: &&Program| p.path.ends_with(name) || p.path.file_stem().is_some_and(|s| s.to_string_lossy() == wanted);
    if let Some(found) = known.iter().find(matches) {
        return Ok(found.path.clone());
    }
    let error = Error::usage(format!("there is no file `{}`", name.display()));
    let names: Vec<String> = known.iter().map(|p| file_name(&p.path)).collect();
    Err(match nearest(&wanted, names.iter().map(String::as_str)) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error,
    })
}
