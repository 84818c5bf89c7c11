//! Submissions, in the folders that say to others what ours say.

use super::{Exported, Kind, Source};
use crate::corpus::{Package, Submission};
use crate::exchange::flaw::{Flaw, shown};
use crate::exchange::names::{Taken, extension, file_name};
use crate::score::Scale;
use crate::verdict::{Subject, Verdict, Verdicts};
use std::fmt::Write as _;

/// Extensions of languages that every reader of packages knows.
const EVERYWHERE: [&str; 9] = ["c", "cc", "cpp", "cxx", "java", "py", "kt", "rs", "js"];

/// Further ones that problemtools and BAPCtools both know.
const OF_TOOLS: [&str; 19] = [
    "C", "c++", "py2", "py3", "go", "cs", "fs", "hs", "rb", "pas", "ml", "m", "php", "sc", "scala", "pl", "lisp", "cl",
    "cob",
];

/// And those that the version 2025-09 names beside them.
const OF_2025: [&str; 8] = ["sh", "d", "dart", "erl", "jl", "lua", "nim", "swift"];

/// The folders that a reader knows.
fn folders(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Legacy | Kind::Domjudge => &["accepted", "wrong_answer", "time_limit_exceeded", "run_time_error"],
        Kind::V2025 => {
            &["accepted", "rejected", "wrong_answer", "time_limit_exceeded", "run_time_error", "brute_force"]
        }
    }
}

/// Writes them.
pub(super) fn write(source: &Source<'_>, kind: Kind, made: &mut Exported) -> Result<(), Flaw> {
    let mut taken = Taken::default();
    let sheet = source.files.get("submissions/submissions.yaml");
    let keeps_sheet = kind == Kind::V2025 && sheet.is_some();
    for submission in &source.package.submissions {
        let files = source.program(&submission.path);
        let unknown = files.iter().map(|(path, _)| extension(path)).find(|e| !knows(kind, e) && !is_beside(e));
        if let Some(unknown) = unknown {
            let name = shown(&submission.name);
            made.note(format!("`{name}` is left out: `.{unknown}` is no language there"));
            continue;
        }
        let folder = match () {
            () if keeps_sheet => Package::folder_of(submission),
            () if is_accepted_in_part(source.package, kind, submission) => {
                made.note(
                    "submissions that fail lie in `partially_accepted`: where groups have points, all are accepted on the \
                     whole, with the points that they get",
                );
                "partially_accepted"
            }
            () => folder(submission, kind),
        };
        let name = file_name(&submission.name);
        let free = taken.take(&format!("{folder}/{name}"));
        let free = file_name(&free).to_owned();
        for (at, (path, bytes)) in files.iter().enumerate() {
            let below = path.strip_prefix(name).unwrap_or(path);
            let bytes = if at == 0 { tagged(submission, kind, folder, path, bytes) } else { bytes.to_vec() };
            made.add(&format!("submissions/{folder}/{free}{below}"), bytes)?;
        }
        if !submission.rules.is_empty() && !keeps_sheet {
            made.note("what is expected of submissions on single test cases is left out");
        }
    }
    match sheet.filter(|_| keeps_sheet) {
        Some(bytes) => made.add("submissions/submissions.yaml", bytes),
        None if kind == Kind::V2025 => whole_verdicts(source.package, made),
        None => Ok(()),
    }
}

/// Whether a submission that fails is accepted on the whole by the graders that points become, with fewer points than there
/// are.
fn is_accepted_in_part(package: &Package, kind: Kind, submission: &Submission) -> bool {
    kind == Kind::Legacy && matches!(package.scale, Some(Scale::Pointed(_))) && submission.expectation.is_rejected()
}

/// In the version 2025-09 a folder says what each test case may come to, in the legacy format what the first that is not
/// accepted does: after that one anything may be. So that nothing is expected that was not, each folder says so.
fn whole_verdicts(package: &Package, made: &mut Exported) -> Result<(), Flaw> {
    const FOLDERS: [(&str, &str); 4] = [
        ("wrong_answer", "[WA]"),
        ("time_limit_exceeded", "[TLE]"),
        ("run_time_error", "[RTE]"),
        ("brute_force", "[TLE, RTE]"),
    ];
    let is_about_the_whole = |submission: &Submission| submission.expectation.subject == Subject::Whole;
    let mut text = String::new();
    for (name, required) in FOLDERS {
        let mut inside = package.submissions.iter().filter(|s| folder(s, Kind::V2025) == name);
        if inside.any(is_about_the_whole) {
            let _ = writeln!(text, "{name}:\n    permitted: [AC, WA, TLE, RTE]\n    required: {required}");
        }
    }
    if text.is_empty() {
        return Ok(());
    }
    made.note(
        "the version 2025-09 cannot say that the first failure decides: `submissions.yaml` permits whatever comes beside \
         the verdict that a folder names",
    );
    made.add("submissions/submissions.yaml", text)
}

fn knows(kind: Kind, extension: &str) -> bool {
    EVERYWHERE.contains(&extension)
        || kind != Kind::Domjudge && OF_TOOLS.contains(&extension)
        || kind == Kind::V2025 && OF_2025.contains(&extension)
}

/// What lies beside sources and needs no language.
fn is_beside(extension: &str) -> bool {
    matches!(extension, "h" | "hh" | "hpp" | "txt" | "in" | "")
}

/// The folder for what is expected of a submission; `mixed` if none says it.
fn folder(submission: &Submission, kind: Kind) -> &'static str {
    let own = Package::folder_of(submission);
    if let Some(known) = folders(kind).iter().find(|folder| **folder == own) {
        return known;
    }
    let expectation = submission.expectation;
    let is_within = |all: &[Verdict]| {
        !expectation.required.is_empty() && expectation.required.and(Verdicts::of(all)) == expectation.required
    };
    use Verdict::{MemoryLimit, OutputLimit, PresentationError, RuntimeError, TimeLimit, WrongAnswer};
    let found = match () {
        () if expectation.is_accepted() => "accepted",
        () if is_within(&[WrongAnswer, PresentationError, OutputLimit]) => "wrong_answer",
        () if is_within(&[TimeLimit]) => "time_limit_exceeded",
        () if is_within(&[RuntimeError, MemoryLimit, OutputLimit]) => "run_time_error",
        () if is_within(&[TimeLimit, RuntimeError, MemoryLimit, OutputLimit]) => "brute_force",
        () if expectation.is_rejected() => "rejected",
        () => "mixed",
    };
    folders(kind).iter().find(|folder| **folder == found).copied().unwrap_or("mixed")
}

/// DOMjudge reads what is expected in the source, where the folder does not say it all.
fn tagged(submission: &Submission, kind: Kind, folder: &str, path: &str, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let has_one = bytes.windows(TAG.len()).any(|window| window.eq_ignore_ascii_case(TAG));
    if kind != Kind::Domjudge || folder != "mixed" || has_one {
        return bytes;
    }
    let comment = if matches!(extension(path), "py" | "rb" | "sh" | "pl") { "#" } else { "//" };
    let results = results(submission.expectation.permitted);
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes.extend(format!("{comment} @EXPECTED_RESULTS@: {}\n", results.join(", ")).bytes());
    bytes
}

const TAG: &[u8] = b"@EXPECTED_RESULTS@:";

/// Verdicts as DOMjudge spells them.
fn results(permitted: Verdicts) -> Vec<&'static str> {
    let names = [
        (Verdict::Accepted, "CORRECT"),
        (Verdict::WrongAnswer, "WRONG-ANSWER"),
        (Verdict::TimeLimit, "TIMELIMIT"),
        (Verdict::RuntimeError, "RUN-ERROR"),
        (Verdict::CompileError, "COMPILER-ERROR"),
    ];
    names.iter().filter(|(verdict, _)| permitted.contains(*verdict)).map(|(_, name)| *name).collect()
}
