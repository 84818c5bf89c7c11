//! Submissions, in the folders that express their expectations for the target.

use super::{Export, ExportFormat, other_files};
use crate::interop::imported_package::{
    ConvertedPackage, InteropError, UniqueNames, file_extension, file_name, shorten_for_message,
};
use crate::package::PARTIAL_FOLDER;
use crate::score::Scoring;
use crate::verdict::{Expectation, ExpectationScope, Verdict};
use crate::{Package, PackageSubmission};
use std::fmt::Write as _;

/// Extensions of languages that every reader supports.
const COMMON_EXTENSIONS: [&str; 9] = ["c", "cc", "cpp", "cxx", "java", "py", "kt", "rs", "js"];

/// Further extensions that both problemtools and BAPCtools support.
const TOOL_EXTENSIONS: [&str; 19] = [
    "C", "c++", "py2", "py3", "go", "cs", "fs", "hs", "rb", "pas", "ml", "m", "php", "sc", "scala", "pl", "lisp", "cl",
    "cob",
];

/// Further extensions in the 2025-09 format.
const V2025_EXTENSIONS: [&str; 8] = ["sh", "d", "dart", "erl", "jl", "lua", "nim", "swift"];

/// Returns the folders that the target knows.
fn supported_folders(kind: ExportFormat) -> &'static [&'static str] {
    match kind {
        ExportFormat::Domjudge => &["accepted", "wrong_answer", "time_limit_exceeded", "run_time_error"],
        ExportFormat::Legacy => &["accepted", "wrong_answer", "time_limit_exceeded", "run_time_error", PARTIAL_FOLDER],
        ExportFormat::V2025 => &[
            "accepted",
            "rejected",
            "wrong_answer",
            "time_limit_exceeded",
            "run_time_error",
            "brute_force",
            PARTIAL_FOLDER,
        ],
    }
}

pub(super) fn write_submissions(export: &mut Export<'_>) -> Result<(), InteropError> {
    let (source, kind) = (export.source, export.kind);
    let mut unique_names = UniqueNames::default();
    let submissions_yaml = source.files.get("submissions/submissions.yaml");
    let keeps_submissions_yaml = kind == ExportFormat::V2025 && submissions_yaml.is_some();
    for submission in &source.package.submissions {
        // If the target adds the files of `include/` itself, submissions go without them.
        let own = source.package.folder.join("submissions").join(&submission.name);
        let is_own = other_files::has_include(kind) && source.package.constants.is_empty();
        let files = source.program_files(if is_own { &own } else { &submission.path });
        let unknown = files
            .iter()
            .map(|(path, _)| file_extension(path))
            .find(|e| !supports_extension(kind, e) && !is_auxiliary_extension(e));
        if let Some(unknown) = unknown {
            let name = shorten_for_message(&submission.name);
            export.out.add_note(format!("`{name}` is left out: the target does not support `.{unknown}`"));
            continue;
        }
        let folder = match () {
            () if keeps_submissions_yaml => Package::submission_folder(submission),
            () if is_partially_accepted(source.package, kind, submission) => {
                export.out.add_note(
                    "submissions that fail are in `partially_accepted`: if groups have points, every submission is \
                     accepted overall, with its points",
                );
                PARTIAL_FOLDER
            }
            () => export_folder(submission, kind),
        };
        if folder == "mixed" && kind == ExportFormat::Legacy {
            let name = shorten_for_message(&submission.name);
            export.out.add_note(format!(
                "`{name}` is in `mixed`, which problemtools ignores: none of its folders says what is expected"
            ));
        }
        let name = file_name(&submission.name);
        let unique_name = unique_names.claim_name(&format!("{folder}/{name}"));
        let unique_name = file_name(&unique_name).to_owned();
        for (at, (path, bytes)) in files.iter().enumerate() {
            let below = path.strip_prefix(name).unwrap_or(path);
            let bytes = match at {
                0 if !keeps_submissions_yaml => add_expected_results_tag(submission, kind, folder, path, bytes),
                _ => bytes.to_vec(),
            };
            export.out.add_file(&format!("submissions/{folder}/{unique_name}{below}"), bytes)?;
        }
        if !submission.rules.is_empty() && !keeps_submissions_yaml {
            export.out.add_note("expectations on single test cases are left out");
        }
    }
    if submissions_yaml.is_some() && !keeps_submissions_yaml {
        export.out.add_note("`submissions/submissions.yaml` is left out: folders express what is expected");
    }
    match submissions_yaml.filter(|_| keeps_submissions_yaml) {
        Some(bytes) => export.out.add_file("submissions/submissions.yaml", bytes),
        None if kind == ExportFormat::V2025 => write_first_failure_rules(source.package, &mut export.out),
        None => Ok(()),
    }
}

/// Returns true if a failing submission is accepted overall by the exported graders, with less than the full score.
fn is_partially_accepted(package: &Package, kind: ExportFormat, submission: &PackageSubmission) -> bool {
    kind == ExportFormat::Legacy
        && matches!(package.scoring, Some(Scoring::Aggregates(_)))
        && submission.expectation.is_rejected()
}

/// Writes `submissions.yaml` for a package of the legacy format. In the 2025-09 format a folder restricts the verdict
/// of each test case. In the legacy format it restricts only the first test case that is not accepted, and any
/// verdict is permitted after that one. The file relaxes the folders accordingly.
fn write_first_failure_rules(package: &Package, exported: &mut ConvertedPackage) -> Result<(), InteropError> {
    const REQUIRED_VERDICTS: [(&str, &str); 4] = [
        ("wrong_answer", "[WA]"),
        ("time_limit_exceeded", "[TLE]"),
        ("run_time_error", "[RTE]"),
        ("brute_force", "[TLE, RTE]"),
    ];
    let is_about_whole_set = |submission: &PackageSubmission| submission.expectation.subject == ExpectationScope::Whole;
    let mut text = String::new();
    for (name, required) in REQUIRED_VERDICTS {
        let mut in_folder = package.submissions.iter().filter(|s| export_folder(s, ExportFormat::V2025) == name);
        if in_folder.any(is_about_whole_set) {
            let _ = writeln!(text, "{name}:\n    permitted: [AC, WA, TLE, RTE]\n    required: {required}");
        }
    }
    if text.is_empty() {
        return Ok(());
    }
    exported.add_note(
        "the 2025-09 format cannot express that the first failure decides: `submissions.yaml` permits any verdicts \
         besides the one that a folder requires",
    );
    exported.add_file("submissions/submissions.yaml", text)
}

fn supports_extension(kind: ExportFormat, extension: &str) -> bool {
    COMMON_EXTENSIONS.contains(&extension)
        || kind != ExportFormat::Domjudge && TOOL_EXTENSIONS.contains(&extension)
        || kind == ExportFormat::V2025 && V2025_EXTENSIONS.contains(&extension)
}

/// Returns true for files beside sources that are not in a programming language.
fn is_auxiliary_extension(extension: &str) -> bool {
    matches!(extension, "h" | "hh" | "hpp" | "txt" | "in" | "")
}

/// Returns the folder for a submission's expectation; `mixed` if no folder expresses it.
fn export_folder(submission: &PackageSubmission, kind: ExportFormat) -> &'static str {
    let expectation = submission.expectation;
    let is_within = |all: &[Verdict]| {
        let mut failures = expectation.permitted.iter().filter(|verdict| *verdict != Verdict::Accepted);
        expectation.is_rejected() && failures.all(|verdict| all.contains(&verdict))
    };
    use Verdict::{MemoryLimit, OutputLimit, PresentationError, RuntimeError, TimeLimit, WrongAnswer};
    let found = match () {
        () if Package::submission_folder(submission) == PARTIAL_FOLDER => PARTIAL_FOLDER,
        () if expectation.is_accepted() => "accepted",
        () if is_within(&[WrongAnswer, PresentationError, OutputLimit]) => "wrong_answer",
        () if is_within(&[TimeLimit]) => "time_limit_exceeded",
        () if is_within(&[RuntimeError, MemoryLimit, OutputLimit]) => "run_time_error",
        () if is_within(&[TimeLimit, RuntimeError, MemoryLimit, OutputLimit]) => "brute_force",
        () if expectation.is_rejected() => "rejected",
        () => "mixed",
    };
    supported_folders(kind).iter().find(|folder| **folder == found).copied().unwrap_or("mixed")
}

/// Adds the tag that DOMjudge, BAPCtools and rebut read the expectation from, if the folder does not express it.
fn add_expected_results_tag(
    submission: &PackageSubmission,
    kind: ExportFormat,
    folder: &str,
    path: &str,
    bytes: &[u8],
) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let has_tag =
        bytes.windows(EXPECTED_RESULTS_TAG.len()).any(|window| window.eq_ignore_ascii_case(EXPECTED_RESULTS_TAG));
    let is_needed = kind == ExportFormat::Domjudge || !submission.expectation.is_open();
    if !is_needed || folder != "mixed" || has_tag {
        return bytes;
    }
    let comment = if matches!(file_extension(path), "py" | "rb" | "sh" | "pl") { "#" } else { "//" };
    let results = domjudge_result_names(submission.expectation);
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes.extend(format!("{comment} @EXPECTED_RESULTS@: {}\n", results.join(", ")).bytes());
    bytes
}

const EXPECTED_RESULTS_TAG: &[u8] = b"@EXPECTED_RESULTS@:";

/// Returns the results on the whole test set that are expected. A submission that has to be rejected somewhere is never
/// accepted as a whole, whatever is permitted on single test cases.
fn domjudge_result_names(expectation: Expectation) -> Vec<&'static str> {
    let names = [
        (Verdict::Accepted, "CORRECT"),
        (Verdict::WrongAnswer, "WRONG-ANSWER"),
        (Verdict::TimeLimit, "TIMELIMIT"),
        (Verdict::RuntimeError, "RUN-ERROR"),
        (Verdict::CompileError, "COMPILER-ERROR"),
    ];
    let is_expected = |verdict: Verdict| {
        expectation.permitted.contains(verdict) && !(verdict == Verdict::Accepted && expectation.is_rejected())
    };
    names.iter().filter(|(verdict, _)| is_expected(*verdict)).map(|(_, name)| *name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::VerdictSet;
    use Verdict::{Accepted as AC, RuntimeError as RTE, TimeLimit as TLE, WrongAnswer as WA};

    #[test]
    fn what_must_fail_is_never_exported_as_accepted() {
        for (permitted, required, folders, results) in [
            (&[AC, WA, TLE, RTE][..], &[WA, TLE, RTE][..], ["mixed", "rejected"], "WRONG-ANSWER, TIMELIMIT, RUN-ERROR"),
            (&[AC, TLE, RTE], &[TLE, RTE], ["mixed", "brute_force"], "TIMELIMIT, RUN-ERROR"),
            (&[AC, WA, RTE], &[WA, RTE], ["mixed", "rejected"], "WRONG-ANSWER, RUN-ERROR"),
            (&[AC, WA], &[WA], ["wrong_answer"; 2], "WRONG-ANSWER"),
            // The first failure need not be the one that is required.
            (&[AC, WA, TLE], &[TLE], ["mixed", "rejected"], "WRONG-ANSWER, TIMELIMIT"),
            (&[AC, TLE], &[], ["mixed"; 2], "CORRECT, TIMELIMIT"),
            (&[AC], &[], ["accepted"; 2], "CORRECT"),
        ] {
            let [permitted, required] = [permitted, required].map(VerdictSet::from_verdicts);
            let expectation = Expectation { permitted, required, subject: ExpectationScope::EachCase };
            let submission = PackageSubmission::new("wrong_answer/a.py".to_owned(), "".into(), expectation, None);
            let found = [ExportFormat::Domjudge, ExportFormat::V2025].map(|kind| export_folder(&submission, kind));
            assert_eq!(found, folders, "{expectation:?}");
            assert_eq!(domjudge_result_names(expectation).join(", "), results);
        }
    }
}
