//! The folder of a problem.

use crate::cli::discover::format_on_one_line;
use crate::cli::infer::describe_inference;
use rebut_diagnostics::{Error, Result, count_with_noun};
use rebut_infer::{Inference, Sample, infer_format};
use rebut_packages::interop::companion::{CompanionTask, ProblemRecord};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Maximum number of problems of one name in a folder.
const MAX_SAME_NAME: usize = 99;

/// The folder of a problem.
pub(super) struct SavedProblem {
    /// The folder.
    pub(super) folder: PathBuf,
    /// False if the problem had been saved before; then nothing was written.
    pub(super) is_new: bool,
    /// The format that was inferred from the samples; an error if none fits them; `None` without samples.
    pub(super) format: Option<InferredFormat>,
}

/// The format of the inputs of a problem, or why there is none.
pub(super) type InferredFormat = std::result::Result<Inference, String>;

/// Writes the folder of a problem below another one. Nothing that exists is changed.
///
/// # Errors
/// Returns an error if the folder cannot be written.
pub(super) fn save_problem(
    task: &CompanionTask,
    format: Option<InferredFormat>,
    parent: &Path,
) -> Result<SavedProblem> {
    let text = format.as_ref().and_then(|format| format.as_ref().ok()).map(|found| format_text(task, found));
    let files = task.make_files(text.as_deref()).map_err(Error::usage_error)?;
    let parent = contest_folder(task, parent)?;
    let name = task.folder_name();
    for number in 1..=MAX_SAME_NAME {
        let name = if number == 1 { name.clone() } else { format!("{name}-{number}") };
        let folder = parent.join(name);
        if std::fs::symlink_metadata(&folder).is_err() {
            files.write_folder(&folder)?;
            return Ok(SavedProblem { folder, is_new: true, format });
        }
        let is_same = |record: &ProblemRecord| !task.url.is_empty() && record.url == task.url;
        if ProblemRecord::load(&folder).as_ref().is_some_and(is_same) {
            return Ok(SavedProblem { folder, is_new: false, format });
        }
    }
    Err(Error::usage_error(format!("there are {MAX_SAME_NAME} folders named like `{}`", parent.join(name).display())))
}

/// Returns the folder for the problems of a contest, which is made if it is missing; or else the folder itself.
fn contest_folder(task: &CompanionTask, parent: &Path) -> Result<PathBuf> {
    let Some(name) = task.contest_folder_name() else { return Ok(parent.to_owned()) };
    let folder = parent.join(name);
    match std::fs::create_dir(&folder) {
        Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => Err(Error::io_error("create", &folder, &e)),
        _ => Ok(folder),
    }
}

/// Infers the format of inputs from the samples. An interactive problem has conversations in their place.
pub(super) fn infer_from_task(task: &CompanionTask) -> Option<InferredFormat> {
    let inputs = task.tests.iter().zip(1..);
    let samples: Vec<Sample> =
        inputs.map(|(test, number)| Sample::new(format!("{number}.in"), test.input.as_bytes())).collect();
    (!task.interactive && !samples.is_empty()).then(|| infer_format(&samples, None).map_err(|e| e.to_string()))
}

/// Returns the text of `input.format`.
fn format_text(task: &CompanionTask, found: &Inference) -> String {
    let names: Vec<String> = (1..=task.tests.len()).map(|number| format!("{number}.in")).collect();
    describe_inference(found, &names.join(", "))
}

/// Describes a folder, and what can be done next.
pub(super) fn describe_problem(task: &CompanionTask, saved: &SavedProblem) -> String {
    let folder = saved.folder.display();
    let verb = if saved.is_new { "made" } else { "kept" };
    let mut facts = vec![count_with_noun(task.tests.len(), "sample")];
    let record = task.record();
    facts.extend(record.time_limit().map(|time| format!("{} s", time.as_secs_f64())));
    facts.extend(record.memory_limit_mib().map(|mebibytes| format!("{mebibytes} MiB")));
    let mut text = format!("\n{verb} {folder}: {} ({})\n", record.name, facts.join(", "));
    // Writing to a string cannot fail.
    let _ = match &saved.format {
        Some(Ok(found)) => {
            let questions = if found.questions.is_empty() { "" } else { "; `input.format` has other readings of them" };
            let format = format_on_one_line(&found.text);
            writeln!(text, "  the format was inferred from the samples: {format}{questions}")
        }
        Some(Err(reason)) => writeln!(text, "  no format was inferred from the samples: {reason}"),
        None if task.interactive => writeln!(text, "  it is interactive: `rebut stress` needs an --interactor"),
        None => Ok(()),
    };
    if let Some([input, output]) = record.file_names() {
        let _ =
            writeln!(text, "  submissions read `{input}` and write `{output}`: `rebut test` and `rebut stress` know");
    } else if task.uses_files() {
        text.push_str("  submissions are to use files; rebut runs them on the standard streams\n");
    }
    let _ = writeln!(text, "  next, with sol.cpp and brute.cpp there:\n    cd {folder}");
    if task.tests.iter().any(|test| !test.output.is_empty()) && !task.interactive {
        text.push_str("    rebut test sol.cpp\n");
    }
    text.push_str(match (&saved.format, task.interactive) {
        (_, true) => "    rebut stress sol.cpp --interactor interactor.cpp\n",
        (Some(Ok(_)), _) => "    rebut stress sol.cpp brute.cpp\n",
        _ => "    rebut stress sol.cpp brute.cpp --format input.format        # to be written first\n",
    });
    text
}
