//! `rebut verify`: all submissions of a package on all its test cases, against what is expected of them.

use super::args::{Verify, VerifyArgs};
use super::desk::Desk;
use super::exit::Status;
use super::jury::Jury;
use super::probes;
use super::programs::{self, compile_all};
use super::setup::Problem;
use super::statics;
use crate::campaign::verify::{
    Case, Cell, Contestant, Expected, ExpectedThere, Memory, Timing, Verified, VerifyPlan, verify,
};
use crate::campaign::{Activity, Event, Reason, Referee, Role, Sink, Summary, Warning};
use crate::corpus::{self, Package, Store, Submission};
use crate::diagnostic::{Error, ErrorKind, Result};
use crate::run::{Limits, Program};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The time of submissions while the time limit is looked for.
const LOOKING_FOR_LIMIT_MS: u64 = 60_000;

pub(super) fn run(args: &Verify, desk: &mut Desk) -> Result<Status> {
    desk.report_to(&args.reports);
    let mut status = Status::Fine;
    let mut unmet = 0;
    for folder in &args.problems {
        let result = one(args, folder, desk);
        status = status.max(match result {
            Ok((found, status)) => {
                unmet += found;
                status
            }
            // What is wrong with one package is no reason to say nothing of the others.
            Err(error) if args.problems.len() > 1 && !desk.cancel.cancelled() => {
                desk.show_error(&error);
                Status::of_error(&error)
            }
            Err(error) => return Err(error),
        });
    }
    let exit_status = status.code();
    desk.take(&Event::Summary(Summary { reason: Reason::Done, findings: unmet, exit_status, ..Summary::default() }));
    Ok(status)
}

/// One package: how many of its expectations are unmet, and the status that follows.
fn one(args: &Verify, folder: &Path, desk: &mut Desk) -> Result<(usize, Status)> {
    let problem = Problem::of_package(folder, desk)?;
    let package = problem.package()?;
    let chosen = chosen(package, &args.submissions)?;
    notes(package, desk);
    if chosen.is_empty() {
        let message = format!("`{}` has no submission: none is verified", package.folder.display());
        let help = "they lie in `submissions/accepted/`, `submissions/wrong_answer/` and so on";
        desk.take(&Event::Warning(Warning { message, help: Some(help.to_owned()) }));
    }
    let asks = !args.no_probes && args.submissions.is_empty();
    let everything = Show::Everything;
    let chosen = Chosen { submissions: chosen, are_named: !args.submissions.is_empty() };
    let (verified, probed) = whole(package, &chosen, &args.how, everything, desk, |plan, _, store, desk| {
        if asks { probes::probe(&problem, plan, store, args.strict, desk) } else { Ok((0, Status::Fine)) }
    })?;
    let (exposed, status) = probed;
    Ok((verified.unmet() + exposed, status_of(&verified).max(status)))
}

/// The submissions that are named, or all.
fn chosen<'p>(package: &'p Package, names: &[PathBuf]) -> Result<Vec<&'p Submission>> {
    if names.is_empty() {
        return Ok(package.submissions.iter().collect());
    }
    let paths = names.iter().map(|name| corpus::find_submission(name, Some(package)));
    let paths = paths.collect::<Result<Vec<_>>>()?;
    let found: Vec<_> = package.submissions.iter().filter(|s| paths.contains(&s.path)).collect();
    if found.is_empty() {
        return Err(Error::usage("no submission of the package is called so")
            .with_help("`rebut run FILE DIR` runs one that is not in the package"));
    }
    Ok(found)
}

/// The submissions that are run.
pub(super) struct Chosen<'p> {
    pub(super) submissions: Vec<&'p Submission>,
    /// Whether the user named them: then it is an error if one cannot be run here, and else it is left out.
    pub(super) are_named: bool,
}

/// How much is told of verifying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    /// The matrix and all that belongs to it.
    Everything,
    /// Nothing: the results are wanted for something else.
    Nothing,
}

/// Shows no results, only how far it is.
struct Silent<'d> {
    desk: &'d Desk,
    activity: Activity,
}

impl Sink for Silent<'_> {
    fn take(&mut self, event: &Event) {
        match event {
            Event::Verifying(verifying) => {
                let of = Some((verifying.submissions.len() * verifying.test_cases.len()) as u64);
                self.activity = Activity { of, noun: "runs", ..Activity::new("Verifying", &verifying.problem) };
            }
            Event::Judged(_) => self.activity.done += 1,
            _ => return,
        }
        self.desk.note(&self.activity);
    }
}

/// These submissions on all test cases; and then what is to be done while the programs are there.
pub(super) fn whole<T>(
    package: &Package,
    chosen: &Chosen<'_>,
    how: &VerifyArgs,
    show: Show,
    desk: &mut Desk,
    then: impl FnOnce(&VerifyPlan<'_>, &Verified, Option<&Store>, &mut Desk) -> Result<T>,
) -> Result<(Verified, T)> {
    check_cases(package)?;
    if how.times {
        desk.show_times();
    }
    let sources: Vec<PathBuf> = chosen.submissions.iter().map(|submission| submission.path.clone()).collect();
    programs::prepare(&sources, &[], None, Some(package), desk);
    let contestants = contestants(package, chosen, desk)?;
    let remembered = (!how.no_cache).then(|| Remembered(store(package, desk)));
    let nothing = crate::campaign::verify::NoMemory;
    let memory: &dyn Memory = remembered.as_ref().map_or(&nothing, |r| r);
    let plan = VerifyPlan {
        problem: package.id.clone(),
        folder: package.folder.clone(),
        contestants,
        cases: cases(package, desk)?,
        limits: limits(package, how),
        scale: package.scale.clone(),
        grader: grader(package, desk)?,
        timing: Timing {
            is_stated: how.time_limit.is_some() || package.limits.cpu_time_ms.is_some(),
            ac_to_time_limit: package.limits.ac_to_time_limit,
            time_limit_to_tle: package.limits.time_limit_to_tle,
        },
        jobs: desk.jobs,
        lazy: how.lazy,
        memory,
        cancel: desk.cancel.clone(),
    };
    desk.keep_results();
    let result = match show {
        Show::Everything => verify(&plan, desk),
        Show::Nothing => verify(&plan, &mut Silent { desk, activity: Activity::default() }),
    };
    let result = match result {
        Ok(verified) => {
            let store = remembered.as_ref().map(|r| &r.0);
            then(&plan, &verified, store, desk).map(|more| (verified, more))
        }
        Err(error) if error.kind() == ErrorKind::Interrupted && remembered.is_some() => {
            Err(error.with_help("what is known is kept: the next `rebut verify` goes on from there"))
        }
        Err(error) => Err(error),
    };
    if let Some(Err(error)) = remembered.as_ref().map(|r| r.0.save()) {
        let message = format!("results could not be kept for the next time: {error}");
        desk.take(&Event::Warning(Warning { message, help: Some("`--no-cache` does without".to_owned()) }));
    }
    result
}

/// What the package's reader noticed.
pub(super) fn notes(package: &Package, desk: &mut Desk) {
    for note in &package.notes {
        desk.take(&Event::Warning(Warning { message: format!("{}: {note}", package.id), help: None }));
    }
}

pub(super) fn status_of(verified: &Verified) -> Status {
    match (verified.has_judge_error(), verified.unmet()) {
        (true, _) => Status::Judge,
        (false, 0) => Status::Fine,
        (false, _) => Status::Found,
    }
}

/// The submissions, compiled several at a time.
fn contestants(package: &Package, chosen: &Chosen<'_>, desk: &mut Desk) -> Result<Vec<Contestant>> {
    let submissions = &chosen.submissions;
    let sources: Vec<_> = submissions.iter().map(|one| (one.path.clone(), one.name.clone())).collect();
    let compiled = compile_all(Some(package), &sources, Role::Submission, desk);
    let mut made = Vec::new();
    for (submission, compiled) in submissions.iter().zip(compiled) {
        let (compiled, identity) =
            compiled.map_or_else(|e| (Err(e), None), |(program, identity)| (Ok(program), identity));
        let program = match compiled {
            Err(error) if !chosen.are_named && programs::leave_out(&submission.name, &error, desk) => continue,
            compiled => Contestant::rejected_or(compiled)?,
        };
        let (name, expected) = (submission.name.clone(), expected(package, submission));
        let sources = statics::sources(package, submission)?;
        made.push(Contestant { name, expected, program, identity, sources });
    }
    Ok(made)
}

/// Of each test case its name; of what the static validator is asked, that of the group that asks.
fn names(package: &Package) -> impl Iterator<Item = &str> {
    let of_groups = package.static_cases.iter().map(|case| case.group.as_str());
    package.test_cases.iter().map(|case| case.name.as_str()).chain(of_groups)
}

/// What the package expects, with the numbers of the test cases that its rules are about.
fn expected(package: &Package, submission: &Submission) -> Expected {
    let rules = submission.rules.iter().map(|rule| ExpectedThere {
        name: rule.pattern.clone(),
        cases: (0..).zip(names(package)).filter(|(_, name)| rule.is_about(name)).map(|(i, _)| i).collect(),
        expectation: rule.expectation,
        message: rule.message.clone(),
        score: rule.score,
        groups: package.groups.iter().map(|group| &group.name).filter(|name| rule.names(name)).cloned().collect(),
    });
    let Submission { expectation, times, score, .. } = *submission;
    Expected { expectation, rules: rules.collect(), times, score }
}

/// The jury's own grader, if there is one.
fn grader(package: &Package, desk: &mut Desk) -> Result<Option<Program>> {
    let grader = package.grader.as_deref();
    grader.map(|path| Ok(super::jury::compiled(Some(package), path, Role::Grader, desk)?.0)).transpose()
}

/// Whether there are test cases, each with an answer: nothing is compiled for what cannot be judged.
fn check_cases(package: &Package) -> Result<()> {
    if package.test_cases.is_empty() && (package.static_validator.is_none() || package.static_cases.is_empty()) {
        return Err(Error::usage(format!("`{}` has no test case in `data/`", package.folder.display()))
            .with_help("`rebut build` makes them from a `tests.toml`"));
    }
    package.check_groups()?;
    match package.test_cases.iter().find(|case| case.answer.is_none()) {
        Some(case) => Err(Error::usage(format!("the test case `{}` of `{}` has no answer", case.name, package.id))
            .with_help(format!("`{}` is missing", case.input.with_extension("ans").display()))),
        None => Ok(()),
    }
}

/// The test cases with who judges them, where each has an answer.
fn cases(package: &Package, desk: &mut Desk) -> Result<Vec<Case>> {
    let jury = Jury::of(package, desk)?;
    let mut referees: BTreeMap<Vec<String>, Referee> = BTreeMap::new();
    let mut cases = Vec::new();
    for case in &package.test_cases {
        let answer = case.answer.clone().unwrap_or_default();
        let arguments = &case.output_validator_arguments;
        let referee = match referees.get(arguments) {
            Some(referee) => referee.clone(),
            None => jury.referee(arguments)?,
        };
        referees.insert(arguments.clone(), referee.clone());
        cases.push(Case {
            name: case.name.clone(),
            input: case.input.clone(),
            answer,
            referee,
            examiner: None,
            arguments: case.arguments.iter().map(Into::into).collect(),
        });
    }
    cases.extend(statics::cases(package, desk)?);
    Ok(cases)
}

fn limits(package: &Package, how: &VerifyArgs) -> Limits {
    let millis = |d: std::time::Duration| u64::try_from(d.as_millis()).unwrap_or(u64::MAX).max(1);
    let stated = how.time_limit.map(millis).or(package.limits.cpu_time_ms);
    let base = Limits::with_cpu_time_ms(stated.unwrap_or(LOOKING_FOR_LIMIT_MS));
    Limits {
        memory_limit_bytes: how
            .memory_limit
            .map(|m| m << 20)
            .or(package.limits.memory_bytes)
            .unwrap_or(base.memory_limit_bytes),
        output_limit_bytes: package.limits.output_bytes.unwrap_or(base.output_limit_bytes),
        ..base
    }
}

/// Where the results of a package are kept. All that is in there has the digest of what decides it as its key, so another
/// checkout, or another package of the same name, can use the same file.
fn store(package: &Package, desk: &Desk) -> Store {
    Store::open(&desk.builder.cache_folder().join("results"), &package.id)
}

/// Part of every key: another version may judge otherwise.
const VERSION: &str = concat!("rebut ", env!("CARGO_PKG_VERSION"), " cell 3");

/// The store of results, as verifying asks it.
struct Remembered(Store);

impl Memory for Remembered {
    fn recall(&self, key: &str) -> Option<Cell> {
        serde_json::from_value(self.0.get(key)?).ok()
    }

    fn remember(&self, key: &str, cell: &Cell) {
        // What may be otherwise the next time is not worth remembering.
        if cell.is_close || cell.verdict == crate::verdict::Verdict::JudgeError {
            return;
        }
        if let Ok(value) = serde_json::to_value(cell) {
            self.0.put(key, value);
        }
    }

    fn digest(&self, parts: &[&[u8]]) -> String {
        corpus::digest(&[&[VERSION.as_bytes()], parts].concat())
    }
}
