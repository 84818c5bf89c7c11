//! The smallest counterexample of each wrong submission of the shipped problems. `scripts/minima` writes them to
//! `testdata/minima`: each submission has one, it refutes the submission, it is the smallest, and searches end at it.

use crate::environment::{Finding, Folder, home};
use crate::shipped_programs::compiled;
use rebut_checkers::Checker;
use rebut_diagnostics::SourceText;
use rebut_engine::judge::judge_run;
use rebut_format::language::Format;
use rebut_format::read::read_input;
use rebut_format::value::Measure;
use rebut_packages::Package;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::{CancelToken, Program, RunLimits, RunOutcome};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const PROBLEMS: [&str; 5] = ["caos3", "cf1921e", "cheftic", "ckcgame", "gamedots"];

/// Longest proof that is run again here, in starts of a compiled program; the script runs longer ones.
const MAX_STARTS: u64 = 1_000;

/// Cost of a start of Python, Java or JavaScript, in starts of a compiled program.
const STARTS_OF_AN_INTERPRETER: u64 = 20;

/// An entry of the index.
pub(crate) struct Minimum {
    pub(crate) problem: String,
    /// The submission by its folder and file: `wrong_answer/w01_off_by_one.cpp`.
    pub(crate) submission: String,
    record: Value,
}

impl Minimum {
    pub(crate) fn source(&self) -> PathBuf {
        folder(&self.problem).join("submissions").join(&self.submission)
    }

    fn file(&self) -> PathBuf {
        let name = Path::new(&self.submission).file_stem().unwrap();
        home().join("testdata/minima").join(&self.problem).join(name).with_extension("in")
    }

    /// The size of its input.
    pub(crate) fn elements(&self) -> u64 {
        self.record["elements"].as_u64().unwrap()
    }

    /// The reasons for which only some inputs had to be tried.
    pub(crate) fn reasons(&self) -> Vec<&str> {
        let because = self.record["proof"]["because"].as_array();
        because.into_iter().flatten().map(|reason| reason.as_str().unwrap()).collect()
    }

    fn input(&self) -> Vec<u8> {
        fs::read(self.file()).unwrap_or_else(|e| panic!("{}: {e}", self.file().display()))
    }
}

pub(crate) fn folder(problem: &str) -> PathBuf {
    home().join("testdata/problems").join(problem)
}

pub(crate) fn index() -> Value {
    let text = fs::read_to_string(home().join("testdata/minima/index.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Returns the entries of the index, or those of one problem.
pub(crate) fn minima(problem: Option<&str>) -> Vec<Minimum> {
    let index = index();
    let entry = |record: &Value| Minimum {
        problem: record["problem"].as_str().unwrap().to_owned(),
        submission: record["submission"].as_str().unwrap().to_owned(),
        record: record.clone(),
    };
    let all = index["minima"].as_array().unwrap().iter().map(entry);
    all.filter(|one| problem.is_none_or(|problem| one.problem == problem)).collect()
}

/// Returns the names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn each_wrong_submission_has_a_minimum() {
    let listed: BTreeSet<(String, String)> =
        minima(None).into_iter().map(|one| (one.problem, one.submission)).collect();
    let mut there = BTreeSet::new();
    for problem in PROBLEMS {
        for kind in ["wrong_answer", "run_time_error"] {
            let submissions = names(&folder(problem).join("submissions").join(kind));
            there.extend(submissions.iter().map(|name| (problem.to_owned(), format!("{kind}/{name}"))));
        }
        let files: BTreeSet<String> = names(&home().join("testdata/minima").join(problem)).into_iter().collect();
        let wanted = minima(Some(problem));
        let wanted: BTreeSet<String> =
            wanted.iter().map(|one| one.file().file_name().unwrap().to_string_lossy().into_owned()).collect();
        assert_eq!(files, wanted, "{problem}");
    }
    assert_eq!(listed, there);
    assert_eq!(names(&folder("")).len(), PROBLEMS.len() + 1, "the problems and their README");
}

#[test]
fn minima_are_valid_and_have_the_size_of_the_index() {
    for problem in PROBLEMS {
        let text = fs::read_to_string(folder(problem).join("input.format")).unwrap();
        let (format, _) = Format::parse(&SourceText::new(problem, text)).unwrap();
        let here = Folder::new();
        let mut typed = here.typed("validate").argument(folder(problem).display().to_string());
        for one in minima(Some(problem)) {
            typed = typed.argument(one.file().display().to_string());
            let value = read_input(&format, &one.input()).unwrap_or_else(|e| panic!("{}: {e:?}", one.submission));
            let measure = Measure::of_value(&format, &value);
            let recorded = (one.record["elements"].as_u64().unwrap(), one.record["distance"].as_u64().unwrap());
            assert_eq!(
                (measure.elements as u64, measure.distance),
                (recorded.0, u128::from(recorded.1)),
                "{}",
                one.submission
            );
        }
        typed.run().exits(0).hides("invalid");
    }
}

#[test]
fn minima_are_proved() {
    let index = index();
    let listed: BTreeSet<&str> = index["because"].as_object().unwrap().keys().map(String::as_str).collect();
    let minima = minima(None);
    let used: BTreeSet<&str> = minima.iter().flat_map(Minimum::reasons).collect();
    assert_eq!(listed, used, "reasons");
    let is_open = |one: &&Minimum| one.record["proof"]["complete"] != true;
    let open: Vec<&str> = minima.iter().filter(is_open).map(|one| one.submission.as_str()).collect();
    assert!(open.is_empty(), "{open:?}");
    for one in &minima {
        let within = one.record["proof"]["within"].as_array();
        assert_eq!(within.is_some_and(|within| !within.is_empty()), !one.reasons().is_empty(), "{}", one.submission);
        // A proof that gives no reason ran each input alone.
        let is_plain = one.reasons().is_empty() && one.record["proof"].get("kind").is_some();
        assert!(!is_plain || one.record["proof"]["kind"] == "processes", "{}", one.submission);
    }
}

/// Runs a program with the limits of its problem except for time, because a machine can be slow.
pub(crate) fn run(program: &Program, package: &Package, input: &[u8]) -> RunOutcome {
    let memory = package.limits.memory_bytes.unwrap_or(1 << 30);
    let limits = RunLimits { memory_limit_bytes: memory, ..RunLimits::with_cpu_time_ms(30_000) };
    program.run(input, &[], &limits, &CancelToken::new()).unwrap()
}

/// Checks that each submission of a problem gets its verdict on its input and that accepted ones pass there.
fn check_minima_refute(problem: &str) {
    let package = Package::load(&folder(problem)).unwrap();
    let accepted = folder(problem).join("submissions/accepted");
    let mut accepted: Vec<Program> =
        names(&accepted).iter().filter_map(|name| compiled(&accepted.join(name))).collect();
    // The reference is in Rust, so it needs no other compiler.
    let reference = accepted.pop().unwrap();
    for one in minima(Some(problem)) {
        let input = one.input();
        let answer = run(&reference, &package, &input);
        assert!(answer.is_success(), "{}: {:?}", one.submission, answer.exit);
        let verdict = |program: &Program| {
            let outcome = run(program, &package, &input);
            judge_run(&outcome, || Checker::default().check(&input, &answer.output, &outcome.output)).0
        };
        for other in &accepted {
            assert_eq!(verdict(other), Verdict::Accepted, "{problem}: {}", one.submission);
        }
        let Some(submission) = compiled(&one.source()) else { continue };
        let expected = one.record["verdict"].as_str().unwrap();
        assert_eq!(verdict(&submission).code(), expected, "{problem}: {}", one.submission);
    }
}

#[test]
#[ignore = "nightly: each of its programs is compiled, as those of cf1921e are in the gate"]
fn minima_of_caos3_refute_their_submissions() {
    check_minima_refute("caos3");
}

#[test]
fn minima_of_cf1921e_refute_their_submissions() {
    check_minima_refute("cf1921e");
}

#[test]
#[ignore = "nightly: each of its programs is compiled, as those of cf1921e are in the gate"]
fn minima_of_cheftic_refute_their_submissions() {
    check_minima_refute("cheftic");
}

#[test]
#[ignore = "nightly: each of its programs is compiled, as those of cf1921e are in the gate"]
fn minima_of_ckcgame_refute_their_submissions() {
    check_minima_refute("ckcgame");
}

#[test]
#[ignore = "nightly: each of its programs is compiled, as those of cf1921e are in the gate"]
fn minima_of_gamedots_refute_their_submissions() {
    check_minima_refute("gamedots");
}

/// Returns the reference of a problem that needs no other compiler than cargo's.
fn reference(problem: &str) -> &'static str {
    if problem == "cheftic" { "brute.rs" } else { "fast.rs" }
}

/// Tries every smaller input again for all submissions with a short proof: each search ends at the minimum, with the
/// same proof.
fn check_nothing_smaller_fails(problem: &str) {
    let is_few = |one: &Minimum| {
        let is_compiled = [".c", ".cpp", ".rs"].iter().any(|end| one.submission.ends_with(end));
        let starts = if is_compiled { 1 } else { STARTS_OF_AN_INTERPRETER };
        one.record["proof"]["inputs"].as_u64().unwrap() * starts <= MAX_STARTS
    };
    let is_plain = |one: &Minimum| one.record["proof"]["complete"] == true && one.reasons().is_empty();
    let proved = minima(Some(problem)).into_iter().filter(is_plain);
    let proved: Vec<Minimum> = proved.filter(is_few).filter(|one| compiled(&one.source()).is_some()).collect();
    assert!(!proved.is_empty(), "{problem}");
    // In groups: all of them at once would exceed the timeout of one command on a busy machine.
    proved.chunks(4).for_each(|some| check_searches_end_there(problem, some));
}

fn check_searches_end_there(problem: &str, proved: &[Minimum]) {
    let here = Folder::new();
    let mut typed = here
        .typed("stress --exhaustive --any-failure --certify 600s --time 600s --time-limit 30s --problem")
        .argument(folder(problem).display().to_string())
        .argument("--reference")
        .argument(reference(problem));
    for one in proved {
        typed = typed.argument(one.source().display().to_string());
    }
    typed.run().exits(1);
    let findings = here.findings();
    for one in proved {
        let is_its = |finding: &&Finding| finding.record()["submission"] == one.source().display().to_string();
        let finding = findings.iter().find(is_its).unwrap_or_else(|| panic!("nothing found for {}", one.submission));
        assert_eq!(finding.read("input.txt").as_bytes(), one.input(), "{}", one.submission);
        let (certificate, proof) = (&finding.record()["certificate"], &one.record["proof"]);
        assert_eq!((&certificate["complete"], &certificate["inputs"]), (&true.into(), &proof["inputs"]));
        assert_eq!(certificate["kind"], "processes", "{}", one.submission);
    }
}

#[test]
fn nothing_smaller_fails_in_cf1921e() {
    check_nothing_smaller_fails("cf1921e");
}

#[test]
#[ignore = "nightly: each of its programs is compiled, as those of cf1921e are in the gate"]
fn nothing_smaller_fails_in_cheftic() {
    check_nothing_smaller_fails("cheftic");
}

#[test]
#[ignore = "nightly: each of its programs is compiled, as those of cf1921e are in the gate"]
fn nothing_smaller_fails_in_ckcgame() {
    check_nothing_smaller_fails("ckcgame");
}

/// Submissions from each problem on which a search from a fixed seed ends at the smallest input by shrinking alone.
const SEARCHED: &[(&str, &str)] = &[
    ("caos3", "w03_arms_of_one"),
    ("caos3", "w16_last_row_and_column"),
    ("cf1921e", "w03_rows_and_columns_swapped"),
    ("cf1921e", "w05_comments_for_code"),
    ("cheftic", "w01_no_antidiagonal"),
    ("cheftic", "w04_editorial_as_printed"),
    ("ckcgame", "w04_caught_if_nearer"),
    ("ckcgame", "w05_one_move_early"),
    ("gamedots", "w01_editorial_as_printed"),
];

#[test]
fn searches_end_at_the_minima() {
    for (problem, submission) in SEARCHED {
        let all = minima(Some(problem));
        let one = all.iter().find(|one| one.file().ends_with(format!("{submission}.in"))).unwrap();
        if compiled(&one.source()).is_none() {
            continue;
        }
        let here = Folder::new();
        let typed = here
            .typed(&format!(
                "stress {submission} --seed 5 --certify 0s --cases 2000 --time 600s --any-failure --problem"
            ))
            .argument(folder(problem).display().to_string())
            .argument("--reference")
            .argument(reference(problem));
        typed.run().exits(1);
        assert_eq!(here.finding().read("input.txt").as_bytes(), one.input(), "{problem}: {submission}");
    }
}
